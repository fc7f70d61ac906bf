package io.dmodc.settings;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One value of the file with the place it stands at. */
sealed interface YamlNode {
    Place place();

    /** Names the kind for messages. */
    String kind();

    /** A single value as written; {@code empty} for a key without value. */
    record Scalar(Place place, String text, boolean empty) implements YamlNode {
        @Override
        public String kind() {
            return empty ? "nothing" : "'" + text + "'";
        }
    }

    /** Keys and values in the order of the file. Overrides add to it before it is bound. */
    record Mapping(Place place, Map<String, YamlNode> children) implements YamlNode {
        Mapping(Place place) {
            this(place, new LinkedHashMap<>());
        }

        @Override
        public String kind() {
            return "a section";
        }
    }

    /** A list. */
    record Sequence(Place place, List<YamlNode> items) implements YamlNode {
        @Override
        public String kind() {
            return "a list";
        }
    }

    /**
     * Where a value was given.
     *
     * @param source the file, or {@code --set}
     * @param line from 1; 0 where there are no lines
     */
    record Place(String source, int line) {
        static final String SET = "--set";

        SettingsException failure(String path, String text) {
            String start = source.equals(SET) ? SET + " " : line == 0 ? source + ": " : source + ":" + line + ": ";
            return new SettingsException(start + (path.isEmpty() ? "" : path + ": ") + text);
        }
    }
}
