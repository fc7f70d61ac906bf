package io.dmodc.agent;

import io.dmodc.agent.plane.Destination;
import io.dmodc.agent.plane.Destinations;
import io.dmodc.southbound.BoundedText;
import io.dmodc.southbound.DestinationDigest;
import io.dmodc.topology.HostAddresses;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What an agent was told of destinations: frames in, what indices stand for out.
 *
 * <p>Memory is O(highest index), some 300 bytes for each long name; what is told anew and is as it was costs none. Not thread-safe.
 */
final class DestinationMap {
    /** What was told does not fit what is held: only the whole helps. */
    static final class MismatchException extends Exception {
        private static final long serialVersionUID = 1L;

        MismatchException(String message) {
            super(message);
        }
    }

    /**
     * What one index is told to stand for.
     *
     * @param part what it adds to the digest
     */
    private record Told(int index, Destination destination, long part) {}

    private Destinations held = Destinations.NONE;

    /** What each index of {@link #held} adds to {@link #digest}. */
    private long[] parts = new long[0];

    private long digest;

    /** Told in frames of which the last is still to come. */
    private final List<Told> told = new ArrayList<>();

    private io.dmodc.southbound.proto.@Nullable Destinations first;

    /** Returns what indices stand for. */
    Destinations held() {
        return held;
    }

    /** Returns the digest of that; 0 for none. */
    long digest() {
        return digest;
    }

    /** A new session begins: the rest of what was told in the last one does not come. */
    void dropUnfinished() {
        told.clear();
        first = null;
    }

    /**
     * Takes a frame.
     *
     * @param frame within the ranges of {@link io.dmodc.southbound.ManagerCheck}
     * @return the indices that stand for something else from now on; null while more is to come
     * @throws MismatchException when it does not fit; nothing is held then
     */
    @Nullable
    BitSet take(io.dmodc.southbound.proto.Destinations frame) throws MismatchException {
        if (first == null) {
            first = frame;
        } else if (first.getComplete() != frame.getComplete()
                || first.getBaseDigest() != frame.getBaseDigest()
                || first.getResultDigest() != frame.getResultDigest()) {
            throw mismatch("frames of different destinations follow each other");
        }
        if (!frame.getComplete() && frame.getBaseDigest() != digest) {
            throw mismatch("they stand on others than those held");
        }
        for (io.dmodc.southbound.proto.Destination one : frame.getChangedList()) {
            int last = told.isEmpty() ? -1 : told.get(told.size() - 1).index();
            if (one.getIndex() <= last) {
                throw mismatch("index " + one.getIndex() + " after index " + last);
            }
            told.add(new Told(one.getIndex(), destination(one), DestinationDigest.of(one)));
        }
        return frame.getMore() ? null : apply(frame.getComplete(), frame.getResultDigest());
    }

    private BitSet apply(boolean complete, long resultDigest) throws MismatchException {
        int behindTold = told.isEmpty() ? 0 : told.get(told.size() - 1).index() + 1;
        int size = complete ? behindTold : Math.max(held.size(), behindTold);
        @Nullable Destination[] next = new Destination[size];
        long[] nextParts = new long[size];
        if (!complete) {
            for (int index = 0; index < held.size(); index++) {
                next[index] = held.at(index);
                nextParts[index] = parts[index];
            }
        }
        for (Told one : told) {
            next[one.index()] = one.destination();
            nextParts[one.index()] = one.part();
        }
        long result = 0;
        for (long part : nextParts) {
            result += part;
        }
        if (result != resultDigest) {
            throw mismatch("they add up to others than were meant");
        }
        BitSet changed = new BitSet();
        for (int index = 0; index < Math.max(size, held.size()); index++) {
            Destination now = index < size ? next[index] : null;
            changed.set(index, !Objects.equals(held.at(index), now));
        }
        held = Destinations.of(size, index -> next[index]);
        parts = nextParts;
        digest = result;
        dropUnfinished();
        return changed;
    }

    private Destination destination(io.dmodc.southbound.proto.Destination one) {
        Destination now = new Destination(
                one.getPortGuid(),
                BoundedText.printable(one.getName()),
                HostAddresses.ofBytes(
                        one.getAddresses().getLid(),
                        one.getAddresses().getIpv4().toByteArray(),
                        one.getAddresses().getIpv6().toByteArray(),
                        one.getAddresses().getMac().toByteArray()));
        Destination before = held.at(one.getIndex());
        return before != null && before.equals(now) ? before : now;
    }

    /** Nothing is held from now on, so that all is told again. */
    void forget() {
        dropUnfinished();
        held = Destinations.NONE;
        parts = new long[0];
        digest = 0;
    }

    private MismatchException mismatch(String why) {
        forget();
        return new MismatchException("destinations ignored: " + why);
    }
}
