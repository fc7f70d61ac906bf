package io.dmodc.fuzz;

import io.dmodc.detector.link.HandshakeStatus;
import io.dmodc.detector.link.LinkHello;
import io.dmodc.detector.link.LinkListener;
import io.dmodc.detector.link.LinkLiveness;
import io.dmodc.detector.link.LinkOutbox;
import io.dmodc.detector.link.LinkRules;
import io.dmodc.detector.link.TransitHello;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Hellos over a cable, to one end of it. Of each come a byte for the time passed, one for the length, and the hello. What is
 * accepted must be within its bounds and be written again byte for byte, and so must what this end says.
 */
public final class HelloFuzz {
    private static final long MILLI = 1_000_000L;
    private static final long STEP = 40 * MILLI;

    /** In a time: it passes at once, as for a process that was stopped. */
    private static final int LATE = 0x80;

    private static final int CLUSTER = 7;
    private static final LinkRules RULES = LinkRules.of(100 * MILLI, 3);

    /** In one step of five seconds: hellos at least 75 ms apart, and what else is due. */
    private static final int TICKS_MAX = 200;

    private HelloFuzz() {}

    /** What two ends say to each other, as one of them hears it: coming up, and one that restarts. */
    static List<byte[]> seeds() {
        ByteArrayOutputStream input = new ByteArrayOutputStream();
        End own = new End(0xa0, 1);
        List<byte[]> seeds = new ArrayList<>();
        for (int session = 2; session < 4; session++) {
            End other = new End(0xb0, session);
            for (int i = 0; i < 8; i++) {
                own.pass(2 * STEP, false);
                other.now = own.now;
                other.live.tick(other.now);
                byte[] hello = other.said.clone();
                input.writeBytes(new byte[] {2, (byte) hello.length});
                input.writeBytes(hello);
                own.hear(hello);
                other.hear(own.said);
            }
            seeds.add(input.toByteArray());
        }
        ByteBuffer transit = ByteBuffer.allocate(2 + TransitHello.LENGTH).put(new byte[] {2, TransitHello.LENGTH});
        TransitHello hello = new TransitHello();
        hello.cluster = CLUSTER;
        hello.askerGuid = 0xa0;
        hello.subjectGuid = 0xb0;
        hello.write(transit);
        seeds.add(transit.array());
        return seeds;
    }

    public static void fuzzerTestOneInput(byte[] data) {
        End end = new End(0xa0, 1);
        ByteBuffer in = ByteBuffer.wrap(data);
        while (in.remaining() >= 2) {
            int time = Byte.toUnsignedInt(in.get());
            byte[] hello = new byte[Math.min(Byte.toUnsignedInt(in.get()), in.remaining())];
            in.get(hello);
            end.pass((time & ~LATE) * STEP, (time & LATE) != 0);
            end.hear(hello);
            readAsTransit(hello);
        }
    }

    /** The same bytes as one that came through a switch. */
    private static void readAsTransit(byte[] bytes) {
        TransitHello hello = new TransitHello();
        if (hello.read(ByteBuffer.wrap(bytes)) == null) {
            ByteBuffer written = ByteBuffer.allocate(TransitHello.LENGTH);
            hello.write(written);
            require(Arrays.equals(written.array(), bytes), "another hello than was read");
            require(hello.back >= 0 && hello.back < TransitHello.DESTINATIONS_MAX, "back by " + hello.back);
            require(hello.askerGuid != 0 && hello.subjectGuid != 0, "nobody");
        }
    }

    private static byte[] written(LinkHello hello) {
        byte[] bytes = new byte[LinkHello.LENGTH];
        hello.write(ByteBuffer.wrap(bytes));
        return bytes;
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException(what);
        }
    }

    private static void requireBounds(LinkHello hello) {
        require(hello.senderPort >= 1 && hello.senderPort <= 254, "port " + hello.senderPort);
        require(hello.multiplier >= 1 && hello.multiplier <= LinkRules.MULTIPLIER_MAX, "times " + hello.multiplier);
        require(hello.ownDiscriminator != 0, "no session");
        for (long interval : new long[] {hello.transmitNanos, hello.receiveNanos}) {
            require(interval > 0 && interval <= LinkRules.SLOW_MAX_NANOS, "interval " + interval);
        }
    }

    /** One end of the cable. */
    private static final class End implements LinkOutbox, LinkListener {
        private final LinkLiveness live;
        private final LinkHello inbound = new LinkHello();
        private byte[] said = {};
        private long now;
        private int sent;

        End(long guid, int seed) {
            live = new LinkLiveness(RULES, CLUSTER, guid, 1, new SplittableRandom(seed), this, this);
            live.start(now);
        }

        void pass(long nanos, boolean late) {
            long until = now + nanos;
            int ticks = 0;
            for (long due = live.nextDeadline(); due <= until; due = live.nextDeadline()) {
                now = late ? until : Math.max(now, due);
                live.tick(now);
                require(++ticks <= TICKS_MAX, "woken without end, last at " + now);
            }
            now = until;
        }

        void hear(byte[] bytes) {
            if (inbound.read(ByteBuffer.wrap(bytes)) != null) {
                return;
            }
            requireBounds(inbound);
            require(Arrays.equals(written(inbound), bytes), "another hello than was read");
            sent = 0;
            live.receive(now, inbound);
            require(sent <= 1, "says " + sent + " for one");
            require(live.nextDeadline() < Long.MAX_VALUE, "never woken again");
            require(
                    live.detectionNanos() <= LinkRules.MULTIPLIER_MAX * LinkRules.SLOW_MAX_NANOS,
                    "waits for " + live.detectionNanos());
        }

        @Override
        public void send(int port, LinkHello hello) {
            sent++;
            said = written(hello);
            LinkHello read = new LinkHello();
            require(read.read(ByteBuffer.wrap(said)) == null, "says what is refused");
            requireBounds(read);
        }

        @Override
        public void heard(int port, HandshakeStatus status) {
            require(port == 1, "port " + port);
        }
    }
}
