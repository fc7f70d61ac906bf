package io.dmodc.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * Gives {@link AnyFuzz} inputs from a directory, and then so many that chance makes of them, with a seed: as a fuzzer does that does not look
 * where they lead. Arguments: directory, seed, how many. What fails is printed in Base64, and ends it with an exit code other than 0.
 */
final class KnownInputs {
    /** An input that takes so long hangs, however busy the machine is. */
    private static final long INPUT_MAX_NANOS = TimeUnit.SECONDS.toNanos(180);

    /** Where lengths, counts and signs turn over. */
    private static final byte[] EDGES = {0, 1, -1, Byte.MAX_VALUE, Byte.MIN_VALUE, '\n', ' ', '"', ':', '-'};

    private static final int STEPS_MAX = 4;

    private final List<byte[]> known;
    private final Random random;
    private volatile byte[] current = {};
    private volatile long since = System.nanoTime();

    private KnownInputs(List<byte[]> known, long seed) {
        this.known = known;
        random = new Random(seed);
    }

    public static void main(String[] arguments) throws IOException {
        List<byte[]> known = new ArrayList<>();
        try (Stream<Path> files = Files.list(Path.of(arguments[0]))) {
            for (Path file : files.sorted().toList()) {
                known.add(Files.readAllBytes(file));
            }
        }
        KnownInputs inputs = new KnownInputs(known, Long.parseLong(arguments[1]));
        Thread watch = new Thread(inputs::watch, "watch");
        watch.setDaemon(true);
        watch.start();
        int count = Integer.parseInt(arguments[2]);
        known.forEach(inputs::run);
        for (int i = 0; i < count; i++) {
            inputs.run(inputs.made());
        }
        System.out.println("Done " + (known.size() + count) + " runs");
        // Whatever threads were left.
        System.exit(0);
    }

    private void run(byte[] input) {
        current = input;
        since = System.nanoTime();
        try {
            AnyFuzz.fuzzerTestOneInput(input);
        } catch (Throwable failed) {
            failed.printStackTrace(System.out);
            end("failed");
        }
    }

    private void watch() {
        while (System.nanoTime() - since < INPUT_MAX_NANOS) {
            LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
        }
        end("hangs");
    }

    private void end(String how) {
        System.out.println(how + ": " + Base64.getEncoder().encodeToString(current));
        System.out.flush();
        Runtime.getRuntime().halt(1);
    }

    /** One of them in which some things are changed; the first byte says whose it is, and stays. */
    private byte[] made() {
        byte[] input = known.get(random.nextInt(known.size()));
        for (int steps = 1 + random.nextInt(STEPS_MAX); steps > 0; steps--) {
            input = changed(input);
        }
        return input.length <= DecoderFuzzTest.LONGEST ? input : Arrays.copyOf(input, DecoderFuzzTest.LONGEST);
    }

    private byte[] changed(byte[] input) {
        if (input.length < 2) {
            return replaced(input, input.length, input.length, new byte[] {edge()});
        }
        int at = 1 + random.nextInt(input.length - 1);
        int to = Math.min(input.length, at + 1 + random.nextInt(8));
        return switch (random.nextInt(7)) {
            case 0 -> replaced(input, at, at + 1, new byte[] {(byte) (input[at] ^ 1 << random.nextInt(8))});
            case 1 -> replaced(input, at, at + 1, new byte[] {edge()});
            case 2 -> replaced(input, at, at, new byte[] {edge()});
            case 3 -> replaced(input, at, to, new byte[0]);
            case 4 -> replaced(input, at, at, Arrays.copyOfRange(input, at, to));
            case 5 -> Arrays.copyOf(input, at);
            default -> spliced(input, at);
        };
    }

    private byte edge() {
        return EDGES[random.nextInt(EDGES.length)];
    }

    /** Goes on as another one does that is for the same reader. */
    private byte[] spliced(byte[] input, int at) {
        byte[] other = known.get(random.nextInt(known.size()));
        while (other[0] != input[0]) {
            other = known.get(random.nextInt(known.size()));
        }
        return replaced(input, at, input.length, Arrays.copyOfRange(other, Math.min(at, other.length), other.length));
    }

    private static byte[] replaced(byte[] input, int from, int to, byte[] by) {
        byte[] made = new byte[from + by.length + input.length - to];
        System.arraycopy(input, 0, made, 0, from);
        System.arraycopy(by, 0, made, from, by.length);
        System.arraycopy(input, to, made, from + by.length, input.length - to);
        return made;
    }
}
