package io.dmodc.settings;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Single values: text into the component's type, and the expectation to print when that fails. */
final class ScalarParser {
    private static final String WHOLE = "a whole number; expected decimal digits, no leading 0";

    private ScalarParser() {}

    static boolean handles(Class<?> type) {
        return type.isPrimitive()
                || type == String.class
                || type == Duration.class
                || type == Path.class
                || Number.class.isAssignableFrom(type)
                || type == Boolean.class
                || type.isEnum()
                || parser(type) != null;
    }

    /** @throws IllegalArgumentException with value and expectation when the text does not fit */
    static Object parse(String text, Class<?> type, boolean hex) {
        if (type == String.class) {
            return text;
        }
        if (type == Duration.class) {
            return DurationText.parse(text);
        }
        if (type == Path.class) {
            return path(text);
        }
        if (type == boolean.class || type == Boolean.class) {
            return bool(text);
        }
        return type.isEnum() ? constant(text, type) : hex ? identity(text) : numberOrOwn(text, type);
    }

    /** A number or a truth value was hardly meant for a path, and no text would be the working directory. */
    private static Path path(String text) {
        if (text.isBlank() || text.matches("[-+]?[0-9.]*[0-9]|true|false")) {
            throw new IllegalArgumentException("'" + text + "' is not a path; expected e.g. /var/lib/x, ./x");
        }
        return Path.of(text);
    }

    private static Object numberOrOwn(String text, Class<?> type) {
        if (type == int.class || type == Integer.class) {
            return number(text, WHOLE, ScalarParser::integer);
        }
        if (type == long.class || type == Long.class) {
            return number(text, WHOLE, ScalarParser::longInteger);
        }
        if (type == double.class || type == Double.class) {
            return number(text, "a number", ScalarParser::finite);
        }
        return own(text, type);
    }

    private static Integer integer(String text) {
        return Integer.valueOf(decimal(text));
    }

    private static Long longInteger(String text) {
        return Long.valueOf(decimal(text));
    }

    /** With a leading 0 a number is octal to some readers of YAML, and decimal to others and to people. */
    private static String decimal(String text) {
        if (!text.matches("[-+]?(0|[1-9][0-9]*)")) {
            throw new NumberFormatException(text);
        }
        return text;
    }

    private static double finite(String text) {
        double value = Double.parseDouble(text);
        if (!Double.isFinite(value)) {
            throw new NumberFormatException(text);
        }
        return value;
    }

    private static <N> N number(String text, String expected, Function<String, N> parser) {
        try {
            return parser.apply(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("'" + text + "' is not " + expected);
        }
    }

    private static Long identity(String text) {
        if (!text.matches("0x[0-9a-fA-F]{1,16}")) {
            throw new IllegalArgumentException("'" + text + "' is not an identity; expected 0x and 1 to 16 hex digits");
        }
        return Long.parseUnsignedLong(text.substring(2), 16);
    }

    private static boolean bool(String text) {
        if (!text.equals("true") && !text.equals("false")) {
            throw new IllegalArgumentException("'" + text + "' is not true or false");
        }
        return text.equals("true");
    }

    private static Object constant(String text, Class<?> type) {
        return Arrays.stream(type.getEnumConstants())
                .filter(value -> KeyNames.constant((Enum<?>) value).equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + text + "' is not one of "
                        + Arrays.stream(type.getEnumConstants())
                                .map(value -> KeyNames.constant((Enum<?>) value))
                                .collect(Collectors.joining(", "))));
    }

    private static Object own(String text, Class<?> type) {
        Method parser = parser(type);
        if (parser == null) {
            throw new IllegalStateException("no reader for settings of " + type);
        }
        try {
            return parser.invoke(null, text);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IllegalArgumentException refused) {
                throw refused;
            }
            throw new IllegalStateException(parser + " failed", e);
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(parser + " is not public", e);
        }
    }

    /** A type with a public static {@code parse(String)} is written as text, see {@link HostPort}. */
    private static @Nullable Method parser(Class<?> type) {
        try {
            return type.getMethod("parse", String.class);
        } catch (NoSuchMethodException e) {
            return null;
        }
    }
}
