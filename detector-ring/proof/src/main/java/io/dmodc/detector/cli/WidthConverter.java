package io.dmodc.detector.cli;

import io.dmodc.detector.RingRules;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** How many are asked at the same time: a number, or {@code auto} for twice the logarithm of the nodes. */
final class WidthConverter implements ITypeConverter<Integer> {
    static final int AUTO = -1;

    @Override
    public Integer convert(String text) {
        if (text.equalsIgnoreCase("auto")) {
            return AUTO;
        }
        if (text.matches("\\d{1,2}")) {
            return Integer.valueOf(text);
        }
        throw new TypeConversionException("'" + text + "', expected auto or 0.." + RingRules.ASKING_WIDTH_MAX);
    }
}
