package io.dmodc.ctl.client;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A question below {@code /api/v1/}: a path and its parameters, in the order they were given. */
final class ApiQuery {
    private final String path;
    private final Map<String, String> parameters = new LinkedHashMap<>();

    /** @param path with every part {@link #quoted} */
    ApiQuery(String path) {
        this.path = path;
    }

    /** Adds a parameter, or replaces it; {@code null} stands for what was not given. */
    ApiQuery with(String name, @Nullable Object value) {
        if (value != null) {
            parameters.put(name, value.toString());
        }
        return this;
    }

    /** Makes text safe inside a path or query. */
    static String quoted(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(path);
        char before = '?';
        for (Map.Entry<String, String> parameter : parameters.entrySet()) {
            text.append(before).append(parameter.getKey()).append('=').append(quoted(parameter.getValue()));
            before = '&';
        }
        return text.toString();
    }
}
