package io.dmodc.agent.linux;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Packets between two namespaces: one process answers, another counts what is not answered. */
final class UdpProber implements AutoCloseable {
    private static final int PORT = 7007;
    private static final long INTERVAL_NANOS = 5_000_000L;

    /** What is not answered so long after the last was sent is lost. */
    private static final long WAIT_NANOS = 2_000_000_000L;

    private final Process answering;
    private final Process asking;
    private final BufferedReader said;

    /** Starts a process in each namespace, and waits until both run. */
    UdpProber(List<String> asker, List<String> answerer, String address) throws IOException {
        answering = start(answerer, "answer");
        new BufferedReader(new InputStreamReader(answering.getInputStream(), StandardCharsets.UTF_8)).readLine();
        asking = start(asker, address);
        said = new BufferedReader(new InputStreamReader(asking.getInputStream(), StandardCharsets.UTF_8));
    }

    private static Process start(List<String> in, String what) throws IOException {
        List<String> command = new ArrayList<>(in);
        command.addAll(List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Djava.net.preferIPv4Stack=true",
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                UdpProber.class.getName(),
                what));
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** What happens while packets are sent. */
    interface Meanwhile {
        void run() throws IOException;
    }

    /** Sends so many packets, one each 5 ms, and returns how many were not answered. */
    int lost(int count) throws IOException {
        return lost(count, 0, () -> {});
    }

    /** The same, while something happens once {@code before} packets are sent. */
    int lost(int count, int before, Meanwhile meanwhile) throws IOException {
        asking.getOutputStream().write((count + " " + before + "\n").getBytes(StandardCharsets.US_ASCII));
        asking.getOutputStream().flush();
        hear();
        meanwhile.run();
        return Integer.parseInt(hear());
    }

    private String hear() throws IOException {
        String line = said.readLine();
        if (line == null) {
            throw new IOException("the prober ended");
        }
        return line;
    }

    @Override
    public void close() {
        answering.destroyForcibly();
        asking.destroyForcibly();
    }

    /** One side of it. */
    public static void main(String[] arguments) throws IOException {
        try (DatagramChannel channel = DatagramChannel.open()) {
            if (arguments[0].equals("answer")) {
                answer(channel.bind(new InetSocketAddress(PORT)));
            } else {
                ask(channel, new InetSocketAddress(arguments[0], PORT));
            }
        }
    }

    private static void answer(DatagramChannel channel) throws IOException {
        System.out.println("ready");
        ByteBuffer packet = ByteBuffer.allocate(64);
        while (true) {
            packet.clear();
            var from = channel.receive(packet);
            channel.send(packet.flip(), from);
        }
    }

    private static void ask(DatagramChannel channel, InetSocketAddress to) throws IOException {
        channel.configureBlocking(false);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        int first = 0;
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ", -1);
            int count = Integer.parseInt(words[0]);
            int before = Integer.parseInt(words[1]);
            BitSet answered = new BitSet();
            ByteBuffer packet = ByteBuffer.allocate(64);
            for (int at = 0; at < count; at++) {
                if (at == before) {
                    System.out.println("sent");
                }
                send(channel, to, first + at);
                hear(channel, packet, System.nanoTime() + INTERVAL_NANOS, first, answered, count);
            }
            hear(channel, packet, System.nanoTime() + WAIT_NANOS, first, answered, count);
            first += count;
            System.out.println(count - answered.cardinality());
        }
    }

    /** A kernel without a route says so at once; the packet is lost as others are. */
    private static void send(DatagramChannel channel, InetSocketAddress to, int number) {
        try {
            channel.send(ByteBuffer.allocate(Integer.BYTES).putInt(number).flip(), to);
        } catch (IOException e) {
            // Lost.
        }
    }

    private static void hear(
            DatagramChannel channel, ByteBuffer packet, long until, int first, BitSet answered, int count)
            throws IOException {
        while (System.nanoTime() < until && answered.cardinality() < count) {
            packet.clear();
            if (channel.receive(packet) != null && packet.flip().remaining() == Integer.BYTES) {
                int number = packet.getInt() - first;
                if (number >= 0 && number < count) {
                    answered.set(number);
                }
            } else {
                java.util.concurrent.locks.LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(200));
            }
        }
    }
}
