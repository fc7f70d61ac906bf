package io.dmodc.manager.northbound;

import com.linecorp.armeria.common.QueryParams;
import com.linecorp.armeria.server.ServiceRequestContext;
import io.dmodc.manager.northbound.answer.EnumWords;
import io.dmodc.topology.Guid;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The parameters of one request, checked: unknown, repeated or malformed ones are refused by name. */
final class Parameters {
    /** Most rows a page can be asked to have. */
    private static final int LIMIT_MAX = 10_000;

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

    /** Refuses every parameter. */
    static void none(ServiceRequestContext context) {
        new Parameters(context, Set.of());
    }

    /** A part of the path, decoded. */
    String inPath(String name) {
        return Objects.requireNonNull(context.pathParam(name));
    }

    /** @throws RequestRefused when the text is no GUID */
    static long guid(String text) {
        try {
            return Guid.parse(text);
        } catch (IllegalArgumentException e) {
            throw RequestRefused.badRequest(String.valueOf(e.getMessage()));
        }
    }

    /** The names to be listed, by {@code name}. */
    NameFilter names() {
        String value = query.get("name");
        return value == null ? NameFilter.ALL : new NameFilter(value);
    }

    /** Most rows wanted, by {@code limit}; {@link Integer#MAX_VALUE} when it is not there. */
    int limit() {
        return has("limit") ? (int) number("limit", 0, 1, LIMIT_MAX) : Integer.MAX_VALUE;
    }

    /** An ISO 8601 instant in milliseconds since 1970; {@link Long#MIN_VALUE} when it is not there. */
    long instant(String name) {
        String value = query.get(name);
        if (value == null) {
            return Long.MIN_VALUE;
        }
        try {
            return Instant.parse(value).toEpochMilli();
        } catch (DateTimeException | ArithmeticException e) {
            throw RequestRefused.badRequest(
                    name + ": '" + value + "' is not a time; expected one like 2026-01-01T02:40:00Z");
        }
    }

    /** Reads a parameter that had another name before; only one of the two may be there. */
    <T> @Nullable T either(String name, String before, Function<String, @Nullable T> read) {
        if (has(name) && has(before)) {
            throw RequestRefused.badRequest("parameters '" + name + "' and '" + before + "' say the same; give one");
        }
        return read.apply(has(before) ? before : name);
    }

    /** The text as it is; {@code null} when it is not there. */
    @Nullable
    String text(String name) {
        return query.get(name);
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
            String word = EnumWords.of(constant);
            if (word.equals(value)) {
                return constant;
            }
            words.append(words.isEmpty() ? "" : ", ").append(word);
        }
        throw RequestRefused.badRequest(name + ": '" + value + "' is none of " + words);
    }
}
