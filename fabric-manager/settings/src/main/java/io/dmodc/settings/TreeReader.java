package io.dmodc.settings;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import io.dmodc.settings.YamlNode.Mapping;
import io.dmodc.settings.YamlNode.Place;
import io.dmodc.settings.YamlNode.Scalar;
import io.dmodc.settings.YamlNode.Sequence;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** YAML text into a tree that remembers lines; scalars stay text, because only the record knows which type is meant. */
final class TreeReader {
    private static final YAMLFactory YAML = new YAMLFactory();
    private static final int MAX_DEPTH = 32;

    private final String source;
    private final int fixedLine;
    private final YAMLParser yaml;

    private TreeReader(String source, int fixedLine, YAMLParser yaml) {
        this.source = source;
        this.fixedLine = fixedLine;
        this.yaml = yaml;
    }

    /** Reads one document; an empty one is an empty scalar. */
    static YamlNode read(String text, Place origin) {
        int fixedLine = origin.line() == 0 && origin.source().equals(Place.SET) ? 0 : -1;
        try (YAMLParser yaml = YAML.createParser(text)) {
            TreeReader reader = new TreeReader(origin.source(), fixedLine, yaml);
            YamlNode root = reader.node(yaml.nextToken(), 0);
            if (yaml.nextToken() != null) {
                throw reader.place().failure("", "a second document; expected one");
            }
            return root;
        } catch (JsonProcessingException e) {
            int line = e.getLocation() == null || fixedLine == 0
                    ? 0
                    : e.getLocation().getLineNr();
            throw new Place(origin.source(), line).failure("", "not YAML: " + firstLine(e.getOriginalMessage()));
        } catch (IOException e) {
            throw origin.failure("", "cannot be read: " + e.getMessage());
        }
    }

    private YamlNode node(@Nullable JsonToken token, int depth) throws IOException {
        if (depth > MAX_DEPTH) {
            throw place().failure("", "nested deeper than " + MAX_DEPTH);
        }
        if (yaml.isCurrentAlias()) {
            throw place().failure("", "aliases are not supported; write the value out");
        }
        if (token == JsonToken.START_OBJECT) {
            return mapping(depth);
        }
        return token == JsonToken.START_ARRAY ? sequence(depth) : scalar(token);
    }

    private YamlNode mapping(int depth) throws IOException {
        Mapping mapping = new Mapping(place());
        while (yaml.nextToken() != JsonToken.END_OBJECT) {
            String key = yaml.currentName();
            Place keyPlace = place();
            YamlNode value = relocate(node(yaml.nextToken(), depth + 1), keyPlace);
            if (mapping.children().putIfAbsent(key, value) != null) {
                throw keyPlace.failure(key, "given twice");
            }
        }
        return mapping;
    }

    /** A section is found at its key rather than at its first child. */
    private static YamlNode relocate(YamlNode value, Place keyPlace) {
        return value instanceof Mapping section ? new Mapping(keyPlace, section.children()) : value;
    }

    private YamlNode sequence(int depth) throws IOException {
        Place start = place();
        List<YamlNode> items = new ArrayList<>();
        for (JsonToken token = yaml.nextToken(); token != JsonToken.END_ARRAY; token = yaml.nextToken()) {
            items.add(node(token, depth + 1));
        }
        return new Sequence(start, items);
    }

    private YamlNode scalar(@Nullable JsonToken token) throws IOException {
        boolean empty = token == null || token == JsonToken.VALUE_NULL;
        return new Scalar(place(), empty ? "" : yaml.getText(), empty);
    }

    private Place place() {
        return new Place(
                source,
                fixedLine == 0 ? 0 : Math.max(1, yaml.currentTokenLocation().getLineNr()));
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("");
    }
}
