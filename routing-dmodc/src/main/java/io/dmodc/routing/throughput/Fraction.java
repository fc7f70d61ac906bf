package io.dmodc.routing.throughput;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;

/**
 * An exact rational number in lowest terms.
 *
 * @param denominator positive
 */
public record Fraction(BigInteger numerator, BigInteger denominator) implements Comparable<Fraction> {
    public static final Fraction ZERO = of(0, 1);
    public static final Fraction ONE = of(1, 1);

    public Fraction {
        if (denominator.signum() == 0) {
            throw new IllegalArgumentException(numerator + "/0; expected a denominator other than 0");
        }
        BigInteger divisor = numerator.gcd(denominator);
        divisor = denominator.signum() < 0 ? divisor.negate() : divisor;
        numerator = numerator.divide(divisor);
        denominator = denominator.divide(divisor);
    }

    public static Fraction of(long numerator, long denominator) {
        return new Fraction(BigInteger.valueOf(numerator), BigInteger.valueOf(denominator));
    }

    /** The value of a decimal number, as it is written. */
    public static Fraction of(BigDecimal decimal) {
        return decimal.scale() > 0
                ? new Fraction(decimal.unscaledValue(), BigInteger.TEN.pow(decimal.scale()))
                : new Fraction(decimal.toBigIntegerExact(), BigInteger.ONE);
    }

    public Fraction plus(Fraction other) {
        return new Fraction(
                numerator.multiply(other.denominator).add(other.numerator.multiply(denominator)),
                denominator.multiply(other.denominator));
    }

    public Fraction minus(Fraction other) {
        return plus(new Fraction(other.numerator.negate(), other.denominator));
    }

    public Fraction times(long factor) {
        return new Fraction(numerator.multiply(BigInteger.valueOf(factor)), denominator);
    }

    public Fraction over(long divisor) {
        return new Fraction(numerator, denominator.multiply(BigInteger.valueOf(divisor)));
    }

    /** @throws IllegalArgumentException of 0 */
    public Fraction inverse() {
        return new Fraction(/* numerator= */ denominator, /* denominator= */ numerator);
    }

    @Override
    public int compareTo(Fraction other) {
        return numerator.multiply(other.denominator).compareTo(other.numerator.multiply(denominator));
    }

    /** The smaller of both. */
    public Fraction min(Fraction other) {
        return compareTo(other) <= 0 ? this : other;
    }

    public double toDouble() {
        return new BigDecimal(numerator)
                .divide(new BigDecimal(denominator), MathContext.DECIMAL64)
                .doubleValue();
    }

    @Override
    public String toString() {
        return numerator + "/" + denominator;
    }
}
