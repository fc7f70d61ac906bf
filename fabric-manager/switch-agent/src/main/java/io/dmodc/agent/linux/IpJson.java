package io.dmodc.agent.linux;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What {@code ip -json} lists, object by object, so that a million routes need no more memory than one. Values of keys are kept as text;
 * of lists only their texts, as flags; what is deeper is passed over.
 */
final class IpJson {
    private static final JsonFactory JSON =
            JsonFactory.builder().disable(StreamReadFeature.AUTO_CLOSE_SOURCE).build();

    /** One listed thing. */
    record Item(Map<String, String> values, Map<String, Set<String>> lists) {
        @Nullable
        String value(String key) {
            return values.get(key);
        }

        String value(String key, String otherwise) {
            return values.getOrDefault(key, otherwise);
        }

        boolean has(String list, String flag) {
            return lists.getOrDefault(list, Set.of()).contains(flag);
        }
    }

    private IpJson() {}

    /** Reads a list; one of nothing may be no text at all. */
    static void read(InputStream in, Consumer<Item> each) throws IOException {
        try (JsonParser parser = JSON.createParser(in)) {
            JsonToken first = parser.nextToken();
            if (first == null) {
                return;
            }
            if (first != JsonToken.START_ARRAY) {
                throw new IOException("a list was expected, it wrote " + first);
            }
            while (parser.nextToken() == JsonToken.START_OBJECT) {
                each.accept(item(parser));
            }
        }
    }

    private static Item item(JsonParser parser) throws IOException {
        Map<String, String> values = new HashMap<>();
        Map<String, Set<String>> lists = new HashMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String key = parser.currentName();
            JsonToken value = parser.nextToken();
            if (value == JsonToken.START_ARRAY) {
                lists.put(key, texts(parser));
            } else if (value == JsonToken.START_OBJECT) {
                parser.skipChildren();
            } else {
                values.put(key, parser.getText());
            }
        }
        return new Item(values, lists);
    }

    private static Set<String> texts(JsonParser parser) throws IOException {
        Set<String> texts = new HashSet<>();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            if (token == null) {
                throw new IOException("it ends within a list");
            }
            if (token == JsonToken.START_OBJECT || token == JsonToken.START_ARRAY) {
                parser.skipChildren();
            } else {
                texts.add(parser.getText());
            }
        }
        return texts;
    }
}
