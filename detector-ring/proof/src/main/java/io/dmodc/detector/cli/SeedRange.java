package io.dmodc.detector.cli;

import java.util.stream.LongStream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** One seed, {@code 7}, or a range with both ends in it, {@code 1..100}; at most {@value #COUNT_MAX}. */
record SeedRange(long first, long last) {
    static final int COUNT_MAX = 1_000_000;

    SeedRange {
        if (last < first || last - first < 0 || last - first >= COUNT_MAX) {
            throw new IllegalArgumentException(
                    "seeds " + first + ".." + last + ", expected 1.." + COUNT_MAX + " of them");
        }
    }

    int count() {
        return (int) (last - first + 1);
    }

    LongStream stream() {
        return LongStream.rangeClosed(first, last);
    }

    static final class Converter implements ITypeConverter<SeedRange> {
        @Override
        public SeedRange convert(String text) {
            int dots = text.indexOf("..");
            try {
                return dots < 0
                        ? new SeedRange(Long.parseLong(text), Long.parseLong(text))
                        : new SeedRange(
                                Long.parseLong(text.substring(0, dots)), Long.parseLong(text.substring(dots + 2)));
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(
                        "'" + text + "', expected a seed as 7 or a range of at most " + COUNT_MAX + " as 1..100");
            }
        }
    }
}
