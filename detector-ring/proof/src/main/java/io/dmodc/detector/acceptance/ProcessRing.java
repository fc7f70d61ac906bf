package io.dmodc.detector.acceptance;

import io.dmodc.detector.acceptance.RingChild.Heard;
import io.dmodc.detector.net.RingKey;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * One ring whose members live in one or several child processes, equally many in each. They are dealt round: with several
 * processes no two neighbours on the ring share one, so that who is late and who waits for it are not late together.
 */
final class ProcessRing implements AutoCloseable {
    /** What an agent's JVM gets. */
    static final List<String> SMALL_JVM = List.of("-Xmx32m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    /** Heartbeat periods until a new ring is calm; a JVM compiles most in its first seconds. */
    private static final int WARM_UP_PERIODS = 50;

    private static final long WARM_UP_NANOS_LEAST = TimeUnit.SECONDS.toNanos(3);

    private final List<RingChild> children = new ArrayList<>();
    private final RingPace pace;
    private final int members;

    /**
     * Starts the processes and their ring, and lets it warm up.
     *
     * @param stormMib garbage per second that the first process makes
     */
    static ProcessRing start(ChildProcesses family, RingPace pace, int processes, int membersEach, int stormMib)
            throws IOException, InterruptedException {
        ProcessRing ring = new ProcessRing(pace, processes * membersEach);
        byte[] key = new byte[RingKey.BYTES_MIN];
        new SecureRandom().nextBytes(key);
        try {
            for (int i = 0; i < processes; i++) {
                ring.children.add(new RingChild(family.java(
                        SMALL_JVM,
                        RingProcess.class,
                        String.valueOf(i),
                        String.valueOf(processes),
                        String.valueOf(membersEach),
                        String.valueOf(pace.heartbeatNanos()),
                        String.valueOf(pace.suspicionNanos()),
                        String.valueOf(i == 0 ? stormMib : 0))));
            }
            List<Integer> ports = ring.open(key);
            for (RingChild child : ring.children) {
                child.join(ports);
            }
            TimeUnit.NANOSECONDS.sleep(Math.max(WARM_UP_NANOS_LEAST, WARM_UP_PERIODS * pace.heartbeatNanos()));
            ring.forget();
            return ring;
        } catch (IOException | InterruptedException e) {
            ring.close();
            throw e;
        }
    }

    private ProcessRing(RingPace pace, int members) {
        this.pace = pace;
        this.members = members;
    }

    /** Returns the ports in slot order. */
    private List<Integer> open(byte[] key) throws IOException, InterruptedException {
        Integer[] ports = new Integer[members];
        for (int i = 0; i < children.size(); i++) {
            int slot = i;
            for (int port : child(i).open(key)) {
                ports[slot] = port;
                slot += children.size();
            }
        }
        return List.of(ports);
    }

    int members() {
        return members;
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

    /** Times a member found another one silent itself, as its observer. */
    List<Heard> accusations() {
        return suspicions().stream().filter(Heard::accuses).toList();
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

    /** Processor time all processes used so far. */
    Duration cpu() {
        return children.stream().map(RingChild::cpu).reduce(Duration.ZERO, Duration::plus);
    }

    void waitDeltas(double deltas) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep((long) (deltas * pace.suspicionNanos()));
    }

    @Override
    public void close() {
        children.forEach(RingChild::close);
    }
}
