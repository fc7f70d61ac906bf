package io.dmodc.routing.cycles;

/**
 * A packet of one flit in a long: cycle of birth (32 bits), switches it has left (8 bits), node index of its destination
 * (24 bits).
 */
final class Packet {
    /** A packet that has left so many switches goes round in tables that do so, and is dropped. */
    static final int HOPS_MAX = 255;

    private static final int NODE_BITS = 24;

    private Packet() {}

    static long of(int birth, int node) {
        return (long) birth << Integer.SIZE | node;
    }

    static int birth(long packet) {
        return (int) (packet >>> Integer.SIZE);
    }

    static int node(long packet) {
        return (int) packet & ((1 << NODE_BITS) - 1);
    }

    static int hops(long packet) {
        return (int) packet >>> NODE_BITS;
    }

    static long afterHop(long packet) {
        return packet + (1 << NODE_BITS);
    }
}
