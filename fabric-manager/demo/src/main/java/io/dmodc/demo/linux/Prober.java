package io.dmodc.demo.linux;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * The process in a host's namespace that sends a datagram to each of its partners in every slot, and notes which of theirs came.
 *
 * <p>Time is cut into slots that are the same for all hosts of a machine, by {@link System#nanoTime}; a datagram carries the number
 * of its slot. A slot this process was too late for is not sent, and that is noted: what was not sent cannot be lost. It sleeps until its next
 * slot and takes what came meanwhile then, as only <em>whether</em> something came counts, so it costs one wake-up a slot. Partners
 * send to sockets of their own, and none overflows while it waits for the processor. Knows nothing but the JDK: it
 * runs with the smallest heap.
 *
 * <p>On its standard input it is asked {@code report FROM TO} (slots) and answers {@code sent BITS}, for each partner
 * {@code from HOST BITS}, and {@code end OVERFLOWS}; BITS are words of 64 slots in hex, the lowest bit first in time. It ends with its input.
 */
final class Prober {
    /** Most slots of a run: 43 minutes of 5 ms. Nothing is sent after that. */
    static final int SLOTS_MAX = 1 << 19;

    /** A partner of number i sends to port PORT_FIRST + i. */
    static final int PORT_FIRST = 20_000;

    private static final int MAGIC = 0x666d7072;
    private static final int PROBE_BYTES = 16;
    private static final int RECEIVE_BYTES = 1 << 20;
    private static final int WORD = 64;

    /** A socket is read once in so many slots: it has room for hundreds, and each look into an empty one costs as much as a datagram. */
    private static final int DRAIN_SLOTS = 8;

    private final long runNanos;
    private final long phaseNanos;
    private final long periodNanos;
    private final DatagramChannel out;
    private final List<InetSocketAddress> targets = new ArrayList<>();
    private final List<Integer> sources = new ArrayList<>();
    private final List<DatagramChannel> in = new ArrayList<>();
    private final long[] sent = new long[SLOTS_MAX / WORD];
    private final List<long[]> came = new ArrayList<>();
    private final ByteBuffer probe = ByteBuffer.allocateDirect(PROBE_BYTES);
    private final ByteBuffer heard = ByteBuffer.allocateDirect(PROBE_BYTES + 1);

    private Prober(long runNanos, long phaseNanos, long periodNanos) throws IOException {
        this.runNanos = runNanos;
        this.phaseNanos = phaseNanos;
        this.periodNanos = periodNanos;
        out = DatagramChannel.open();
        out.configureBlocking(false);
    }

    /**
     * Arguments: this host's number and address; when slot 0 begins, how far into a slot this host sends, and how long a slot is, in nanoseconds;
     * then {@code to=ADDRESS} and {@code from=NUMBER} for each partner.
     */
    public static void main(String[] arguments) throws IOException {
        int number = Integer.parseInt(arguments[0]);
        String own = arguments[1];
        Prober prober =
                new Prober(Long.parseLong(arguments[2]), Long.parseLong(arguments[3]), Long.parseLong(arguments[4]));
        for (int i = 5; i < arguments.length; i++) {
            String[] words = arguments[i].split("=");
            if (words[0].equals("to")) {
                prober.targets.add(new InetSocketAddress(words[1], PORT_FIRST + number));
            } else {
                prober.listen(own, Integer.parseInt(words[1]));
            }
        }
        Thread sender = new Thread(prober::run, "prober");
        sender.setDaemon(true);
        sender.start();
        System.out.println("ready");
        prober.answer();
    }

    private void listen(String own, int number) throws IOException {
        DatagramChannel channel = DatagramChannel.open();
        channel.setOption(StandardSocketOptions.SO_RCVBUF, RECEIVE_BYTES);
        channel.bind(new InetSocketAddress(own, PORT_FIRST + number));
        channel.configureBlocking(false);
        sources.add(number);
        in.add(channel);
        came.add(new long[SLOTS_MAX / WORD]);
    }

    private void run() {
        long slot = 0;
        while (slot < SLOTS_MAX) {
            long late = System.nanoTime() - runNanos - phaseNanos - slot * periodNanos;
            if (late < 0) {
                LockSupport.parkNanos(-late);
                continue;
            }
            slot += late / periodNanos;
            if (slot < SLOTS_MAX) {
                turn((int) slot);
            }
            slot++;
        }
    }

    private synchronized void turn(int slot) {
        for (int i = slot % DRAIN_SLOTS; i < in.size(); i += DRAIN_SLOTS) {
            drain(i);
        }
        targets.forEach(target -> send(slot, target));
        sent[slot / WORD] |= 1L << slot;
    }

    /** Where there is no way now it is lost, as if the first switch had dropped it. */
    private boolean send(int slot, InetSocketAddress target) {
        probe.clear();
        probe.putInt(MAGIC).putLong(runNanos).putInt(slot).flip();
        try {
            return out.send(probe, target) > 0;
        } catch (IOException e) {
            return false;
        }
    }

    private void drain(int i) {
        try {
            while (in.get(i).receive(heard.clear()) != null) {
                take(came.get(i));
            }
        } catch (IOException e) {
            throw new IllegalStateException("a socket cannot be read any more", e);
        }
    }

    private void take(long[] slots) {
        heard.flip();
        if (heard.remaining() == PROBE_BYTES && heard.getInt() == MAGIC && heard.getLong() == runNanos) {
            int slot = heard.getInt();
            if (slot >= 0 && slot < SLOTS_MAX) {
                slots[slot / WORD] |= 1L << slot;
            }
        }
    }

    private void answer() throws IOException {
        try (BufferedReader questions =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII))) {
            for (String line = questions.readLine(); line != null; line = questions.readLine()) {
                String[] words = line.split(" ");
                if (words.length == 3 && words[0].equals("report")) {
                    System.out.print(report(Integer.parseInt(words[1]) / WORD, Integer.parseInt(words[2]) / WORD));
                    System.out.flush();
                }
            }
        }
    }

    private synchronized String report(int firstWord, int lastWord) throws IOException {
        for (int i = 0; i < in.size(); i++) {
            drain(i);
        }
        StringBuilder text = new StringBuilder("sent");
        append(text, sent, firstWord, lastWord);
        for (int i = 0; i < sources.size(); i++) {
            text.append("\nfrom ").append(sources.get(i));
            append(text, came.get(i), firstWord, lastWord);
        }
        return text.append("\nend ").append(overflows()).append('\n').toString();
    }

    private static void append(StringBuilder text, long[] bits, int firstWord, int lastWord) {
        for (int word = firstWord; word <= lastWord; word++) {
            text.append(' ').append(Long.toHexString(bits[word]));
        }
    }

    /** Datagrams that came to this host and found no room in a socket. */
    private static long overflows() throws IOException {
        List<String> udp = Files.readAllLines(Path.of("/proc/self/net/snmp")).stream()
                .filter(line -> line.startsWith("Udp:"))
                .toList();
        int column = List.of(udp.get(0).split(" ")).indexOf("RcvbufErrors");
        return Long.parseLong(udp.get(1).split(" ")[column]);
    }
}
