package io.dmodc.manager.northbound;

import com.linecorp.armeria.common.QueryParams;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.dmodc.manager.northbound.answer.Words;
import io.dmodc.topology.Guid;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The parameters of one request, checked: unknown, repeated or malformed ones are refused by name. */
final class Parameters {
    private final ServiceRequestContext context;
    private final QueryParams query;

    /** @param known query parameters this path understands */
    Parameters(ServiceRequestContext context, Set<String> known) {
        this.context = context;
        query = context.queryParams();
        for (String name : query.names()) {
            if (!known.contains(name)) {
                throw RequestRefused.badRequest("unknown parameter '" + name + "'; expected "
                        + (known.isEmpty()
                                ? "none"
                                : String.join(", ", known.stream().sorted().toList())));
            }
            if (query.getAll(name).size() > 1) {
                throw RequestRefused.badRequest("parameter '" + name + "' is there more than once");
            }
        }
    }

    /** The GUID in the path. */
    long guid() {
        try {
            return Guid.parse(Objects.requireNonNull(context.pathParam("guid")));
        } catch (IllegalArgumentException e) {
            throw RequestRefused.badRequest(String.valueOf(e.getMessage()));
        }
    }

    boolean has(String name) {
        return query.contains(name);
    }

    String required(String name) {
        String value = query.get(name);
        if (value == null || value.isBlank()) {
            throw RequestRefused.badRequest("parameter '" + name + "' is missing");
        }
        return value;
    }

    long number(String name, long fallback, long min, long max) {
        String value = query.get(name);
        if (value == null) {
            return fallback;
        }
        try {
            long number = Long.parseLong(value);
            if (number >= min && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Told below, like a number out of range.
        }
        throw RequestRefused.badRequest(name + ": '" + value + "' is not a whole number in " + min + ".." + max);
    }

    /** {@code true} or {@code false}; {@code null} when it is not there. */
    @Nullable
    Boolean flag(String name) {
        String value = query.get(name);
        if (value == null) {
            return null;
        }
        if (!value.equals("true") && !value.equals("false")) {
            throw RequestRefused.badRequest(name + ": '" + value + "' is neither true nor false");
        }
        return value.equals("true");
    }

    /** A constant by its word; {@code null} when it is not there. */
    <E extends Enum<E>> @Nullable E word(String name, Class<E> type) {
        String value = query.get(name);
        if (value == null) {
            return null;
        }
        StringBuilder words = new StringBuilder();
        for (E constant : type.getEnumConstants()) {
            String word = Words.of(constant);
            if (word.equals(value)) {
                return constant;
            }
            words.append(words.isEmpty() ? "" : ", ").append(word);
        }
        throw RequestRefused.badRequest(name + ": '" + value + "' is none of " + words);
    }
}
