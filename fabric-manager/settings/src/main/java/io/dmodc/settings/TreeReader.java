package io.dmodc.settings;

import io.dmodc.settings.YamlNode.Mapping;
import io.dmodc.settings.YamlNode.Place;
import io.dmodc.settings.YamlNode.Scalar;
import io.dmodc.settings.YamlNode.Sequence;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.MappingStartEvent;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.events.SequenceStartEvent;
import org.yaml.snakeyaml.parser.Parser;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.StreamReader;

/** YAML text into a tree that remembers lines; scalars stay text, because only the record knows which type is meant. */
final class TreeReader {
    private static final int MAX_DEPTH = 32;

    /** What YAML 1.1 calls nothing, where it has neither quotes nor a tag. */
    private static final Set<String> NOTHING = Set.of("", "~", "null", "Null", "NULL");

    private final Place origin;
    private final Parser yaml;

    private TreeReader(Place origin, Parser yaml) {
        this.origin = origin;
        this.yaml = yaml;
    }

    /** Reads one document; an empty one is an empty scalar. */
    static YamlNode read(String text, Place origin) {
        try {
            return new TreeReader(origin, new ParserImpl(new StreamReader(text), new LoaderOptions())).document();
        } catch (MarkedYAMLException e) {
            throw placeOf(origin, e.getProblemMark().getLine()).failure("", "not YAML: " + firstLine(e));
        } catch (YAMLException | NumberFormatException e) {
            // SnakeYAML throws the latter where a text ends within an escape.
            throw new Place(origin.source(), 0).failure("", "not YAML: " + firstLine(e));
        }
    }

    private YamlNode document() {
        yaml.getEvent();
        if (yaml.checkEvent(Event.ID.StreamEnd)) {
            return new Scalar(place(yaml.getEvent()), "", true);
        }
        yaml.getEvent();
        YamlNode root = node(yaml.getEvent(), 0);
        yaml.getEvent();
        if (!yaml.checkEvent(Event.ID.StreamEnd)) {
            throw place(yaml.getEvent()).failure("", "a second document; expected one");
        }
        return root;
    }

    private YamlNode node(Event event, int depth) {
        if (depth > MAX_DEPTH) {
            throw place(event).failure("", "nested deeper than " + MAX_DEPTH);
        }
        if (event instanceof MappingStartEvent) {
            return mapping(event, depth);
        }
        return event instanceof SequenceStartEvent ? sequence(event, depth) : scalar(event);
    }

    private YamlNode mapping(Event start, int depth) {
        Mapping mapping = new Mapping(place(start));
        for (Event key = yaml.getEvent(); !key.is(Event.ID.MappingEnd); key = yaml.getEvent()) {
            String name = value(key).getValue();
            YamlNode value = relocate(node(yaml.getEvent(), depth + 1), place(key));
            if (mapping.children().putIfAbsent(name, value) != null) {
                throw place(key).failure(name, "given twice");
            }
        }
        return mapping;
    }

    /** A section is found at its key rather than at its first child. */
    private static YamlNode relocate(YamlNode value, Place keyPlace) {
        return value instanceof Mapping section ? new Mapping(keyPlace, section.children()) : value;
    }

    private YamlNode sequence(Event start, int depth) {
        List<YamlNode> items = new ArrayList<>();
        for (Event item = yaml.getEvent(); !item.is(Event.ID.SequenceEnd); item = yaml.getEvent()) {
            items.add(node(item, depth + 1));
        }
        return new Sequence(place(start), items);
    }

    private YamlNode scalar(Event event) {
        ScalarEvent scalar = value(event);
        boolean empty = scalar.getImplicit().canOmitTagInPlainScalar() && NOTHING.contains(scalar.getValue());
        return new Scalar(place(event), empty ? "" : scalar.getValue(), empty);
    }

    private ScalarEvent value(Event event) {
        if (event instanceof AliasEvent) {
            throw place(event).failure("", "aliases are not supported; write the value out");
        }
        if (event instanceof ScalarEvent scalar) {
            return scalar;
        }
        throw place(event).failure("", "a section or a list for a key; expected a single value");
    }

    private Place place(Event event) {
        return placeOf(origin, event.getStartMark().getLine());
    }

    /** An override has no lines. */
    private static Place placeOf(Place origin, int line) {
        boolean isSet = origin.line() == 0 && origin.source().equals(Place.SET);
        return new Place(origin.source(), isSet ? 0 : line + 1);
    }

    private static String firstLine(RuntimeException e) {
        return String.valueOf(e.getMessage()).lines().findFirst().orElse("");
    }
}
