package io.dmodc.settings;

import io.dmodc.settings.YamlNode.Mapping;
import io.dmodc.settings.YamlNode.Place;
import io.dmodc.settings.YamlNode.Scalar;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads a YAML file into a record, strictly.
 *
 * <p>Keys are the record's components in kebab case (or {@link SettingsKey}). A missing key takes the value of the
 * record's static {@code defaults()}; a record without that method requires all its keys that are not
 * {@code @Nullable}. Values may be text, whole and decimal numbers, booleans, {@link java.time.Duration}
 * ({@code 100ms}), {@link Path}, enum constants in kebab case, identities ({@link Hex}), types with a static
 * {@code parse(String)} such as {@link HostPort}, nested records, and lists of all these. All methods may be called
 * from any thread.
 */
public final class Settings {
    /** A settings file is written by people; more than this is a wrong file. */
    public static final int MAX_FILE_BYTES = 1 << 20;

    private Settings() {}

    /**
     * Reads a file.
     *
     * @param overrides values by dotted key ({@code detector.heartbeat}); they win over the file and are checked alike
     * @throws SettingsException one line that says where and what was expected
     */
    public static <T extends Record> T read(Path file, Class<T> type, Map<String, String> overrides) {
        return parse(text(file), file.toString(), type, overrides);
    }

    /**
     * Reads text that came from elsewhere.
     *
     * @param source stands for the file in messages
     * @throws SettingsException one line that says where and what was expected
     */
    public static <T extends Record> T parse(String text, String source, Class<T> type, Map<String, String> overrides) {
        Place origin = new Place(source, 1);
        YamlNode root = TreeReader.read(text, origin);
        if (root instanceof Scalar scalar && scalar.empty()) {
            root = new Mapping(origin);
        }
        if (!(root instanceof Mapping section)) {
            throw root.place().failure("", root.kind() + " is not a section with " + KeyNames.all(type));
        }
        overrides.forEach((key, value) -> set(section, key, value));
        return Binder.record(type, section, null, "");
    }

    /**
     * Reads one section of a file, whatever stands beside it.
     *
     * @param key with dots, {@code southbound.opensm}
     * @throws SettingsException one line that says where and what was expected
     */
    public static <T extends Record> T section(Path file, String key, Class<T> type) {
        YamlNode node = TreeReader.read(text(file), new Place(file.toString(), 1));
        for (String step : key.split("\\.", -1)) {
            YamlNode child =
                    node instanceof Mapping section ? section.children().get(step) : null;
            if (child == null) {
                throw node.place().failure(key, "missing; expected a section with " + KeyNames.all(type));
            }
            node = child;
        }
        if (!(node instanceof Mapping section)) {
            throw node.place().failure(key, node.kind() + " is not a section with " + KeyNames.all(type));
        }
        return Binder.record(type, section, null, key);
    }

    /**
     * Splits {@code a.b=value} arguments of a command line.
     *
     * @throws SettingsException when one has no key or no equals sign
     */
    public static Map<String, String> overrides(List<String> arguments) {
        Map<String, String> overrides = new LinkedHashMap<>();
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            if (equals <= 0) {
                throw new SettingsException("--set " + argument + ": expected key=value");
            }
            overrides.put(argument.substring(0, equals), argument.substring(equals + 1));
        }
        return overrides;
    }

    /** Returns the effective settings as YAML, every default visible; reading it again gives an equal record. */
    public static String describe(Record settings) {
        return Describer.describe(settings);
    }

    /** Keys with dots whose values differ, in the order of the record. */
    public static List<String> differences(Record one, Record other) {
        return Describer.differences(one, other);
    }

    private static String text(Path file) {
        Place place = new Place(file.toString(), 0);
        try {
            if (!Files.isRegularFile(file)) {
                throw place.failure(
                        "", Files.exists(file) ? "not a file; expected YAML" : "no such file; expected YAML");
            }
            if (Files.size(file) > MAX_FILE_BYTES) {
                throw place.failure("", Files.size(file) + " bytes; expected YAML of at most " + MAX_FILE_BYTES);
            }
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(Files.readAllBytes(file)))
                    .toString();
        } catch (CharacterCodingException e) {
            throw place.failure("", "not UTF-8 text; expected YAML");
        } catch (IOException e) {
            throw place.failure("", "cannot be read: " + Reasons.of(e));
        }
    }

    private static void set(Mapping root, String key, String value) {
        Place place = new Place(Place.SET, 0);
        String[] steps = key.split("\\.", -1);
        Mapping section = root;
        for (int i = 0; i < steps.length - 1; i++) {
            YamlNode child = section.children().get(steps[i]);
            if (child == null || (child instanceof Scalar scalar && scalar.empty())) {
                child = new Mapping(place);
                section.children().put(steps[i], child);
            }
            if (!(child instanceof Mapping next)) {
                throw place.failure(key, steps[i] + " is not a section");
            }
            section = next;
        }
        section.children().put(steps[steps.length - 1], overriding(value, place));
    }

    /** Lists and sections may be given in YAML's flow style; everything else is taken as it is. */
    private static YamlNode overriding(String value, Place place) {
        boolean flow = value.startsWith("[") || value.startsWith("{");
        return flow ? TreeReader.read(value, place) : new Scalar(place, value, value.isEmpty());
    }
}
