package io.dmodc.ctl;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * Offered loads: {@code 0.1,0.5}, or {@code 0.1..0.9}, which goes on by tenths and has both ends, or both.
 *
 * @param loads in the order asked for, each in (0, 1]
 */
record LoadList(List<BigDecimal> loads) {
    private static final BigDecimal STEP = new BigDecimal("0.1");

    LoadList {
        loads = List.copyOf(loads);
    }

    double[] values() {
        return loads.stream().mapToDouble(BigDecimal::doubleValue).toArray();
    }

    /** Reads a word of the command line. */
    static final class Converter implements ITypeConverter<LoadList> {
        private final LoadConverter one = new LoadConverter();

        @Override
        public LoadList convert(String word) {
            List<BigDecimal> loads = new ArrayList<>();
            for (String part : word.split(",", -1)) {
                String[] ends = part.split("\\.\\.", -1);
                if (ends.length > 2) {
                    throw new TypeConversionException("'" + part + "', expected a load, or two as 0.1..0.9");
                }
                addAll(loads, one.convert(ends[0]), one.convert(ends[ends.length - 1]));
            }
            return new LoadList(loads);
        }

        private static void addAll(List<BigDecimal> loads, BigDecimal from, BigDecimal to) {
            if (from.compareTo(to) > 0) {
                throw new TypeConversionException("'" + from + ".." + to + "', expected the lower load first");
            }
            for (BigDecimal load = from; load.compareTo(to) < 0; load = load.add(STEP)) {
                loads.add(load);
            }
            loads.add(to);
        }
    }
}
