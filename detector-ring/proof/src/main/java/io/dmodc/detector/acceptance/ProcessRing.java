package io.dmodc.detector.acceptance;

import io.dmodc.detector.acceptance.RingChild.Heard;
import io.dmodc.detector.net.RingKey;
import java.io.IOException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One ring whose members live in one or several child processes, equally many in each. */
final class ProcessRing implements AutoCloseable {
    /** What an agent's JVM gets. */
    static final List<String> SMALL_JVM = List.of("-Xmx32m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    /** Heartbeat periods until a new ring is calm; a JVM compiles most in its first seconds. */
    private static final int WARM_UP_PERIODS = 50;

    private final List<RingChild> children = new ArrayList<>();
    private final AcceptanceEffort effort;

    /**
     * Starts the processes and their ring, and lets it warm up.
     *
     * @param stormMib garbage per second that the first process makes
     */
    static ProcessRing start(
            ChildProcesses family, AcceptanceEffort effort, int processes, int membersEach, int stormMib)
            throws IOException, InterruptedException {
        ProcessRing ring = new ProcessRing(effort);
        byte[] key = new byte[RingKey.BYTES_MIN];
        new SecureRandom().nextBytes(key);
        try {
            List<Integer> ports = new ArrayList<>();
            for (int i = 0; i < processes; i++) {
                RingChild child = new RingChild(family.java(
                        SMALL_JVM,
                        RingProcess.class,
                        String.valueOf(i * membersEach),
                        String.valueOf(membersEach),
                        String.valueOf(effort.heartbeatNanos()),
                        String.valueOf(effort.suspicionNanos()),
                        String.valueOf(i == 0 ? stormMib : 0)));
                ring.children.add(child);
                ports.addAll(child.open(key));
            }
            for (RingChild child : ring.children) {
                child.join(ports);
            }
            TimeUnit.NANOSECONDS.sleep(WARM_UP_PERIODS * effort.heartbeatNanos());
            ring.forget();
            return ring;
        } catch (IOException | InterruptedException e) {
            ring.close();
            throw e;
        }
    }

    private ProcessRing(AcceptanceEffort effort) {
        this.effort = effort;
    }

    RingChild child(int index) {
        return children.get(index);
    }

    /** Drops what was heard so far. */
    void forget() {
        children.forEach(RingChild::forget);
    }

    /** Times a member took another one for dead. */
    List<Heard> suspicions() {
        return children.stream()
                .flatMap(child -> child.heard().stream())
                .filter(Heard::silent)
                .toList();
    }

    List<Heard> returns() {
        return children.stream()
                .flatMap(child -> child.heard().stream())
                .filter(heard -> !heard.silent())
                .toList();
    }

    long lateWakeUps() throws IOException, InterruptedException {
        long late = 0;
        for (RingChild child : children) {
            late += child.counts().lateWakeUps();
        }
        return late;
    }

    void waitDeltas(double deltas) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep((long) (deltas * effort.suspicionNanos()));
    }

    @Override
    public void close() {
        children.forEach(RingChild::close);
    }
}
