package io.dmodc.southbound;

import java.time.Duration;

/** Versions, bounds and default times of the protocol; {@code docs/southbound-protocol.md} repeats them for people. */
public final class SouthboundProtocol {
    /** Lowest and highest version this code speaks. */
    public static final int VERSION_MIN = 2;

    public static final int VERSION_MAX = 2;

    /** Port a manager listens on unless told otherwise. */
    public static final int DEFAULT_PORT = 7470;

    /** Bytes of the big-endian length before each protobuf message. */
    public static final int LENGTH_BYTES = 4;

    public static final int MAX_FRAME_BYTES = 1 << 20;

    /** A manager must allow frames at least this long, so that every report of an agent fits. */
    public static final int MIN_MAX_FRAME_BYTES = 1 << 16;

    /** From the connection to the first frame (Hello to the manager, Welcome or Refusal to the agent). */
    public static final Duration HELLO_TIMEOUT = Duration.ofSeconds(5);

    /** From the first byte of a frame to its last. */
    public static final Duration FRAME_TIMEOUT = Duration.ofSeconds(10);

    public static final Duration KEEP_ALIVE = Duration.ofSeconds(2);
    public static final Duration KEEP_ALIVE_MIN = Duration.ofMillis(100);
    public static final Duration KEEP_ALIVE_MAX = Duration.ofMinutes(1);

    /** Keep-alive periods without any frame after which the peer is given up. */
    public static final int KEEP_ALIVE_MISSES = 3;

    /** How long a refusing side keeps reading and dropping, so that the peer gets to read the refusal. */
    public static final Duration REFUSAL_LINGER = Duration.ofSeconds(1);

    /** From the decision to refuse to the end of the connection, whether the peer takes the refusal or not. */
    public static final Duration REFUSAL_TIMEOUT = Duration.ofSeconds(10);

    /** Above the high mark of unsent bytes a channel reports itself unwritable, until below the low mark. */
    public static final int WRITE_LOW_WATER_BYTES = 64 << 10;

    public static final int WRITE_HIGH_WATER_BYTES = 256 << 10;

    /**
     * Most unsent bytes of one session of a manager before it is closed, besides the frame that goes over it: whoever
     * does not read costs two frames at most.
     */
    public static final int UNSENT_MAX_BYTES = 1 << 20;

    /** How long a session of a manager may stay above the high mark, or rather not fall below the low one. */
    public static final Duration UNSENT_TIMEOUT = Duration.ofSeconds(30);

    /** Highest leader epoch: the upper half of an epoch of the ring, which stays positive. */
    public static final long MAX_LEADER_EPOCH = Integer.MAX_VALUE;

    /** How far above the leader epoch an agent obeys a revocation may be; a Welcome may be any. */
    public static final long LEADER_STEP_MAX = 1L << 22;

    /** Highest fabric epoch; at a million views a second it would be reached in 146,000 years. */
    public static final long MAX_FABRIC_EPOCH = 1L << 62;

    public static final int MAX_PORTS = 254;

    /** What a link may carry in one direction, in Mbit/s. */
    public static final int MAX_MEGABITS = 100_000_000;

    /** Width of a link. */
    public static final int MAX_LANES = 255;

    public static final int MAX_NAME_BYTES = 64;
    public static final int MAX_TEXT_BYTES = 512;

    /** Highest unicast LID of a host. */
    public static final int MAX_LID = 0xbfff;

    public static final int IPV4_BYTES = 4;
    public static final int IPV6_BYTES = 16;
    public static final int MAC_BYTES = 6;

    /** As many agents as a manager takes connections, and some managers. */
    public static final int MAX_MEMBERS = 16_400;

    /** Most slots asked at the same time, and most neighbours asked for their opinion, in a ring. */
    public static final int MAX_ASKING_WIDTH = 64;

    public static final int MAX_OPINIONS = 4;

    /** Most entries of a table: half of the largest frame, so that a complete push always fits into one. */
    public static final int MAX_ENTRIES = 1 << 19;

    /** Most entries that a refusal says the switch did not take, while it took all others. */
    public static final int MAX_REFUSED_ENTRIES = 256;

    public static final int BLOCK_ENTRIES = 64;

    /** Most hellos through a neighbour that are sent for one question. */
    public static final int MAX_TRANSIT_HELLOS = 255;

    /** Longest table of alternatives; what would be longer is not told. */
    public static final int MAX_ALTERNATIVES_BYTES = MAX_FRAME_BYTES - 64;

    /** Most ports that all patterns of a table may have together, for each entry of its table. */
    public static final int PATTERN_PORTS_PER_ENTRY = 4;

    /** Table entry of a destination without a route. */
    public static final byte NO_ROUTE = (byte) 255;

    /** Upper half of a manager's GUID in the ring; its first octet marks a group, which no device can be. */
    private static final long MANAGER_GUIDS = 0xff4d_4752L;

    private SouthboundProtocol() {}

    /**
     * The GUID under which a manager sits in the ring.
     *
     * @param number of the manager, from 0; differs between managers that may run at the same time
     */
    public static long managerGuid(int number) {
        return MANAGER_GUIDS << 32 | Integer.toUnsignedLong(number);
    }

    /** True for a GUID that is kept for managers; a switch may not have it. */
    public static boolean isManagerGuid(long guid) {
        return guid >>> 32 == MANAGER_GUIDS;
    }
}
