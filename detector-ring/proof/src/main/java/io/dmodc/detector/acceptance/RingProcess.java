package io.dmodc.detector.acceptance;

import io.dmodc.detector.RingRules;
import io.dmodc.detector.net.RingCounters;
import io.dmodc.detector.net.RingKey;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The program of a child: some members of a ring, led by the lines it reads. It ends when its input does, so it cannot
 * outlive who started it.
 *
 * <pre>
 *   arguments   first slot, how far to the next one, members, η ns, δ ns, MiB per second that an allocation storm makes garbage of (0: none)
 *   hears       key HEX                the key of all members
 *   says        ports P P …            when their sockets are open
 *   hears       ring P P …             ports of all members in slot order
 *   says        silent NANOS MEMBER SUBJECT HOPS, alive NANOS MEMBER SUBJECT   as it happens; hops 0: accused by MEMBER
 *   hears       count
 *   says        count SENT:RECEIVED … / LATE SUSPICIONS REFUTATIONS
 * </pre>
 */
public final class RingProcess implements LoopbackRing.Listener {
    static final String KEY = "key";
    static final String PORTS = "ports";
    static final String RING = "ring";
    static final String SILENT = "silent";
    static final String ALIVE = "alive";
    static final String COUNT = "count";

    private static final int STORM_CHUNK = 1 << 16;
    private static final int MIB = 1 << 20;

    private final LoopbackRing ring;
    private final long heartbeatNanos;
    private final long suspicionNanos;

    private RingProcess(int firstSlot, int step, int members, RingKey key, long heartbeatNanos, long suspicionNanos) {
        this.heartbeatNanos = heartbeatNanos;
        this.suspicionNanos = suspicionNanos;
        ring = new LoopbackRing(firstSlot, step, members, key, this);
    }

    /** Runs until the input ends. */
    public static void main(String[] args) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        RingProcess process = new RingProcess(
                Integer.parseInt(args[0]),
                Integer.parseInt(args[1]),
                Integer.parseInt(args[2]),
                key(in.readLine()),
                Long.parseLong(args[3]),
                Long.parseLong(args[4]));
        startStorm(Integer.parseInt(args[5]));
        say(PORTS + " " + joined(process.ring.ports()));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            process.hear(line.split(" "));
        }
        System.exit(0);
    }

    private static RingKey key(@Nullable String line) {
        if (line == null || !line.startsWith(KEY + " ")) {
            throw new IllegalArgumentException("'" + line + "', expected key and hex");
        }
        return RingKey.of(HexFormat.of().parseHex(line.substring(KEY.length() + 1)));
    }

    private void hear(String[] words) {
        switch (words[0]) {
            case RING ->
                install(Arrays.stream(words).skip(1).map(Integer::parseInt).toList());
            case COUNT -> say(count());
            default -> throw new IllegalArgumentException("'" + words[0] + "', expected ring or count");
        }
    }

    private void install(List<Integer> ports) {
        ring.install(ports, RingRules.standard(heartbeatNanos, suspicionNanos, ports.size()));
    }

    private String count() {
        long[] sent = ring.counts(RingCounters::sent);
        long[] received = ring.counts(RingCounters::received);
        List<String> each = IntStream.range(0, sent.length)
                .mapToObj(i -> sent[i] + ":" + received[i])
                .collect(Collectors.toCollection(ArrayList::new));
        return COUNT + " " + joined(each) + " / " + ring.count(RingCounters::lateWakeUps) + " "
                + ring.count(RingCounters::suspicions) + " " + ring.count(RingCounters::refutations);
    }

    @Override
    public void silent(int member, int subject, int hops) {
        say(SILENT + " " + System.nanoTime() + " " + member + " " + subject + " " + hops);
    }

    @Override
    public void alive(int member, int subject) {
        say(ALIVE + " " + System.nanoTime() + " " + member + " " + subject);
    }

    private static void say(String line) {
        synchronized (System.out) {
            System.out.println(line);
            System.out.flush();
        }
    }

    private static String joined(List<?> words) {
        return words.stream().map(String::valueOf).collect(Collectors.joining(" "));
    }

    /** Makes garbage at a rate until the process ends, in bursts of a tenth of a second, each chunk briefly held. */
    private static void startStorm(int mibPerSecond) {
        if (mibPerSecond == 0) {
            return;
        }
        Thread storm = new Thread(() -> storm(mibPerSecond), "storm");
        storm.setDaemon(true);
        storm.start();
    }

    private static void storm(int mibPerSecond) {
        byte[][] held = new byte[64][];
        int chunksPerBurst = Math.max(1, mibPerSecond * (MIB / STORM_CHUNK) / 10);
        try {
            for (int next = 0; !Thread.currentThread().isInterrupted(); Thread.sleep(100)) {
                for (int i = 0; i < chunksPerBurst; i++, next++) {
                    held[next % held.length] = new byte[STORM_CHUNK];
                }
            }
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
        }
    }
}
