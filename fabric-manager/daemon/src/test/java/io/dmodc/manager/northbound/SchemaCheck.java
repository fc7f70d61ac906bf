package io.dmodc.manager.northbound;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Compares an answer with the part of JSON Schema that docs/openapi.yaml uses, and is stricter in one point: a key the
 * document does not name is a mistake, so that nothing is answered that is not documented.
 */
final class SchemaCheck {
    private static final Set<String> KNOWN = Set.of(
            "type",
            "required",
            "properties",
            "items",
            "enum",
            "pattern",
            "description",
            "format",
            "minimum",
            "maximum",
            "examples",
            "default");

    private final JsonNode document;
    private final List<String> mistakes = new ArrayList<>();

    private SchemaCheck(JsonNode document) {
        this.document = document;
    }

    static List<String> mistakes(JsonNode document, JsonNode schema, JsonNode value) {
        SchemaCheck check = new SchemaCheck(document);
        check.check("answer", schema, value);
        return check.mistakes;
    }

    /** Follows a {@code $ref} inside the document. */
    static JsonNode resolve(JsonNode document, JsonNode schema) {
        JsonNode reference = schema.get("$ref");
        return reference == null ? schema : document.at(reference.asText().substring(1));
    }

    private void check(String where, JsonNode unresolved, JsonNode value) {
        JsonNode schema = resolve(document, unresolved);
        schema.fieldNames().forEachRemaining(key -> {
            if (!KNOWN.contains(key)) {
                mistakes.add(where + ": the schema says " + key + ", which is not checked");
            }
        });
        String type = schema.path("type").asText();
        if (!hasType(type, value)) {
            mistakes.add(where + ": " + value + " is not of type '" + type + "'");
            return;
        }
        if (schema.has("enum") && !contains(schema.get("enum"), value)) {
            mistakes.add(where + ": " + value + " is none of " + schema.get("enum"));
        }
        if (schema.has("pattern")
                && !value.asText().matches(schema.get("pattern").asText())) {
            mistakes.add(where + ": " + value + " does not match " + schema.get("pattern"));
        }
        if (value.isObject()) {
            object(where, schema, value);
        }
        for (int i = 0; value.isArray() && i < value.size(); i++) {
            check(where + "[" + i + "]", schema.path("items"), value.get(i));
        }
    }

    private static boolean hasType(String type, JsonNode value) {
        return switch (type) {
            case "object" -> value.isObject();
            case "array" -> value.isArray();
            case "string" -> value.isTextual();
            case "integer" -> value.isIntegralNumber();
            case "number" -> value.isNumber();
            case "boolean" -> value.isBoolean();
            default -> false;
        };
    }

    private static boolean contains(JsonNode list, JsonNode value) {
        for (JsonNode item : list) {
            if (item.equals(value)) {
                return true;
            }
        }
        return false;
    }

    private void object(String where, JsonNode schema, JsonNode value) {
        for (JsonNode name : schema.path("required")) {
            if (!value.has(name.asText())) {
                mistakes.add(where + ": " + name + " is missing");
            }
        }
        value.properties().forEach(field -> {
            JsonNode property = schema.path("properties").get(field.getKey());
            if (property == null) {
                mistakes.add(where + ": " + field.getKey() + " is not documented");
            } else {
                check(where + "." + field.getKey(), property, field.getValue());
            }
        });
    }
}
