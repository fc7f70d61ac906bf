package io.dmodc.detector;

/** The finaliser of SplitMix64 as a hash: hashes of different facts must not cancel out when they are xor-ed. */
final class SplitMix64 {
    /** What SplitMix64 adds from one number to the next. */
    static final long GAMMA = 0x9e3779b97f4a7c15L;

    private SplitMix64() {}

    /** 32 well-mixed bits of a slot (below 2^31), a 32-bit number and a flag (0 or 1). */
    static int hash(int slot, int number, int flag) {
        return (int) (mix(((long) slot << 33) ^ ((number & 0xffffffffL) << 1) ^ flag) >>> 32);
    }

    /** A bijection on 64 bits. */
    static long mix(long value) {
        long z = value + GAMMA;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
