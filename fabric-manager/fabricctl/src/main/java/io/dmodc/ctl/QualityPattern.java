package io.dmodc.ctl;

import io.dmodc.routing.traffic.TrafficPattern;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A word of {@code quality --patterns}: traffic whose congestion risk is asked for, or a pattern whose throughput is.
 *
 * @param risk absent if throughput is asked for
 * @param traffic the name of a {@link TrafficPattern}; absent if a risk is asked for
 */
record QualityPattern(@Nullable Risk risk, @Nullable String traffic) {
    /** Kinds of traffic that congestion risk is defined for. */
    enum Risk {
        /** Every node sends to every other. */
        A2A,
        /** Random permutations. */
        RP,
        /** Shift permutations. */
        SP;

        /** As it is written on a command line. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** What is looked at if nobody chooses. */
    static final List<QualityPattern> ALL_RISKS = Arrays.stream(Risk.values())
            .map(risk -> new QualityPattern(risk, null))
            .toList();

    /** Reads a word of the command line. */
    static final class Converter implements ITypeConverter<QualityPattern> {
        @Override
        public QualityPattern convert(String word) {
            for (QualityPattern pattern : ALL_RISKS) {
                if (word.equalsIgnoreCase(String.valueOf(pattern.risk))) {
                    return pattern;
                }
            }
            if (TrafficPattern.isName(word)) {
                return new QualityPattern(null, word.toLowerCase(Locale.ROOT));
            }
            throw new TypeConversionException("'" + word + "', expected one of "
                    + Stream.concat(Arrays.stream(Risk.values()), TrafficPattern.names().stream())
                            .map(Object::toString)
                            .collect(Collectors.joining(", ")));
        }
    }
}
