package io.dmodc.ctl;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads an offered load, a part of what a node's link carries, exactly as it is written. */
final class LoadConverter implements ITypeConverter<BigDecimal> {
    private static final int DIGITS_MAX = 9;

    @Override
    public BigDecimal convert(String word) {
        try {
            BigDecimal load = new BigDecimal(word);
            if (load.signum() > 0 && load.compareTo(BigDecimal.ONE) <= 0 && load.scale() <= DIGITS_MAX) {
                return load;
            }
        } catch (NumberFormatException e) {
            throw bad(word, e);
        }
        throw bad(word, null);
    }

    private static TypeConversionException bad(String word, @Nullable Throwable cause) {
        TypeConversionException bad = new TypeConversionException(
                "'" + word + "', expected a load above 0 and at most 1, of at most " + DIGITS_MAX + " digits");
        bad.initCause(cause);
        return bad;
    }
}
