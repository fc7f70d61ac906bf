package io.dmodc.manager.northbound;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Set;

/** Records as JSON on one line; {@code null} components are left out. */
final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .defaultPropertyInclusion(
                    JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
            .build();

    private Json() {}

    static String text(Object answer) {
        try {
            return MAPPER.writeValueAsString(answer);
        } catch (JsonProcessingException e) {
            throw defect(answer, e);
        }
    }

    static byte[] bytes(Object answer) {
        try {
            return MAPPER.writeValueAsBytes(answer);
        } catch (JsonProcessingException e) {
            throw defect(answer, e);
        }
    }

    /** Without some of the outermost components. */
    static byte[] bytesWithout(Object answer, Set<String> names) {
        return bytes(MAPPER.<ObjectNode>valueToTree(answer).without(names));
    }

    private static IllegalStateException defect(Object answer, JsonProcessingException e) {
        return new IllegalStateException("defect: " + answer.getClass() + " cannot be written as JSON", e);
    }
}
