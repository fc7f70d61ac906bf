package io.dmodc.manager.store;

import com.fasterxml.jackson.databind.JsonNode;
import io.dmodc.topology.Guid;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/** Fields of a JSON object, read strictly: each once, of its type, within its bounds; {@link #end} refuses any other. */
final class JsonFields {
    private static final int SHOWN_MAX = 60;

    private final JsonNode node;
    private final Set<String> read = new HashSet<>();

    /** @throws IllegalArgumentException when it is no object */
    JsonFields(JsonNode node) {
        if (!node.isObject()) {
            throw new IllegalArgumentException(shown(node) + "; expected an object {…}");
        }
        this.node = node;
    }

    boolean has(String field) {
        return node.has(field);
    }

    String text(String field) {
        JsonNode value = value(field, "a text");
        if (!value.isTextual()) {
            throw wrong(field, "a text");
        }
        // JSON can name halves of a character, which no file of ours can hold.
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(value.textValue())) {
            throw wrong(field, "a text of whole characters");
        }
        return value.textValue();
    }

    boolean flag(String field) {
        JsonNode value = value(field, "true or false");
        if (!value.isBoolean()) {
            throw wrong(field, "true or false");
        }
        return value.booleanValue();
    }

    long guid(String field) {
        JsonNode value = value(field, "0x and 16 hexadecimal digits");
        try {
            return Guid.parse(value.isTextual() ? value.textValue() : "");
        } catch (IllegalArgumentException e) {
            throw wrong(field, "0x and 16 hexadecimal digits");
        }
    }

    int number(String field, int min, int max) {
        return (int) number(field, (long) min, max);
    }

    long number(String field, long min, long max) {
        String expected = "a number " + min + ".." + max;
        JsonNode value = value(field, expected);
        if (!value.isIntegralNumber()
                || !value.canConvertToLong()
                || value.longValue() < min
                || value.longValue() > max) {
            throw wrong(field, expected);
        }
        return value.longValue();
    }

    long[] guids(String field) {
        String expected = "a list of 0x and 16 hexadecimal digits";
        JsonNode value = value(field, expected);
        long[] guids = new long[value.size()];
        try {
            for (int i = 0; i < guids.length; i++) {
                JsonNode guid = value.isArray() ? value.get(i) : value;
                guids[i] = Guid.parse(guid.isTextual() ? guid.textValue() : "");
            }
        } catch (IllegalArgumentException e) {
            throw wrong(field, expected);
        }
        if (!value.isArray()) {
            throw wrong(field, expected);
        }
        return guids;
    }

    int[] numbers(String field, int min, int max) {
        String expected = "a list of numbers " + min + ".." + max;
        JsonNode value = value(field, expected);
        int[] numbers = new int[value.size()];
        boolean good = value.isArray();
        for (int i = 0; good && i < numbers.length; i++) {
            JsonNode number = value.get(i);
            good = number.isInt() && number.intValue() >= min && number.intValue() <= max;
            numbers[i] = number.intValue();
        }
        if (!good) {
            throw wrong(field, expected);
        }
        return numbers;
    }

    /** Base 64. */
    byte[] bytes(String field) {
        JsonNode value = value(field, "base 64");
        try {
            byte[] bytes = value.isTextual() ? value.binaryValue() : null;
            if (bytes != null) {
                return bytes;
            }
        } catch (IOException e) {
            // Told below.
        }
        throw wrong(field, "base 64");
    }

    JsonFields object(String field) {
        return new JsonFields(value(field, "an object"));
    }

    List<JsonFields> list(String field) {
        JsonNode value = value(field, "a list");
        if (!value.isArray()) {
            throw wrong(field, "a list");
        }
        List<JsonFields> list = new ArrayList<>(value.size());
        value.forEach(item -> list.add(new JsonFields(item)));
        return list;
    }

    private JsonNode value(String field, String expected) {
        JsonNode value = node.get(field);
        if (value == null) {
            throw new IllegalArgumentException("no '" + field + "'; expected " + expected);
        }
        read.add(field);
        return value;
    }

    private IllegalArgumentException wrong(String field, String expected) {
        return new IllegalArgumentException(field + " " + shown(node.get(field)) + "; expected " + expected);
    }

    private static String shown(JsonNode node) {
        String text = node.toString();
        return text.length() <= SHOWN_MAX ? text : text.substring(0, SHOWN_MAX) + "…";
    }

    /** @throws IllegalArgumentException when there is a field that was not asked for */
    void end() {
        for (Iterator<String> names = node.fieldNames(); names.hasNext(); ) {
            String name = names.next();
            if (!read.contains(name)) {
                throw new IllegalArgumentException("field '" + name + "' is unknown here");
            }
        }
    }
}
