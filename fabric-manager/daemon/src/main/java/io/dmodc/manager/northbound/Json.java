package io.dmodc.manager.northbound;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.linecorp.armeria.common.HttpData;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;

/** Records as JSON on one line; {@code null} components are left out. */
final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder()
            .defaultPropertyInclusion(
                    JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
            .build();

    /** What every failed request gets. */
    record Failure(String error) {}

    private Json() {}

    static String text(Object answer) {
        try {
            return MAPPER.writeValueAsString(answer);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("defect: " + answer.getClass() + " cannot be written as JSON", e);
        }
    }

    static HttpResponse response(Object answer) {
        try {
            return HttpResponse.of(
                    HttpStatus.OK, MediaType.JSON_UTF_8, HttpData.wrap(MAPPER.writeValueAsBytes(answer)));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("defect: " + answer.getClass() + " cannot be written as JSON", e);
        }
    }
}
