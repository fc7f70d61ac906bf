package io.dmodc.detector.cli;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A duration in whole microseconds, written as 5us, 100ms or 1s. */
final class MicrosConverter implements ITypeConverter<Integer> {
    private static final Pattern FORM = Pattern.compile("(\\d{1,9})(us|ms|s)");

    @Override
    public Integer convert(String text) {
        Matcher form = FORM.matcher(text);
        if (form.matches()) {
            long micros = Long.parseLong(form.group(1)) * microsOf(form.group(2));
            if (micros <= Integer.MAX_VALUE) {
                return (int) micros;
            }
        }
        throw new TypeConversionException("'" + text + "', expected a duration as 5us, 100ms or 1s, at most 35 min");
    }

    private static long microsOf(String unit) {
        return switch (unit) {
            case "us" -> 1;
            case "ms" -> 1_000;
            default -> 1_000_000;
        };
    }
}
