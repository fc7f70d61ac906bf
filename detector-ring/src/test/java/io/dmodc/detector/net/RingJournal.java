package io.dmodc.detector.net;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/** What an endpoint told, a line each: what, whose GUID in hex, and in which incarnation. */
final class RingJournal implements RingEndpoint.Listener {
    private final List<String> lines = new ArrayList<>();

    synchronized List<String> lines() {
        return List.copyOf(lines);
    }

    private synchronized void add(String line) {
        lines.add(line);
    }

    @Override
    public void onSilent(long subjectGuid, int incarnation, long observerGuid, long silenceNanos, int hops) {
        add("silent " + Long.toHexString(subjectGuid) + "." + incarnation);
    }

    @Override
    public void onAlive(long subjectGuid, int incarnation, int hops) {
        add("alive " + Long.toHexString(subjectGuid) + "." + incarnation);
    }

    @Override
    public void onOwnIncarnation(int incarnation) {
        add("own " + incarnation);
    }

    @Override
    public void onRevoked(long leaderEpoch, long fabricEpoch, int hops) {
        add("revoked " + leaderEpoch + "." + fabricEpoch);
    }

    @Override
    public void onDeaf(boolean deaf) {
        add(deaf ? "deaf" : "hears");
    }

    @Override
    public void onForeignSource(long guid, InetSocketAddress expected, InetSocketAddress actual) {
        add("foreign " + Long.toHexString(guid) + " " + expected.getPort() + " " + actual.getPort());
    }
}
