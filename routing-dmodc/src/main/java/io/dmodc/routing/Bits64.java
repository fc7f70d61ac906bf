package io.dmodc.routing;

/**
 * Random bits from numbers: the output function of SplitMix64 (G. Steele, D. Lea, C. Flood, <i>Fast splittable
 * pseudorandom number generators</i>, OOPSLA 2014).
 */
public final class Bits64 {
    /** What a generator's state grows by from one number to the next. */
    public static final long STEP = 0x9e3779b97f4a7c15L;

    private Bits64() {}

    /** A bijection on 64 bits: also a digest of what is added up, or xor-ed, number by number. */
    public static long mix(long state) {
        long z = (state ^ (state >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    /** A number in 0..bound−1 from 32 random bits. */
    public static int below(long bits, int bound) {
        return (int) (((bits >>> 32) * bound) >>> 32);
    }
}
