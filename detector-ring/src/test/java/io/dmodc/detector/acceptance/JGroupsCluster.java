package io.dmodc.detector.acceptance;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jgroups.Address;
import org.jgroups.JChannel;
import org.jgroups.Receiver;
import org.jgroups.View;
import org.jgroups.protocols.FD_ALL3;
import org.jgroups.protocols.LOCAL_PING;
import org.jgroups.protocols.UDP;
import org.jgroups.protocols.UNICAST3;
import org.jgroups.protocols.VERIFY_SUSPECT2;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.protocols.pbcast.NAKACK2;
import org.jgroups.protocols.pbcast.STABLE;
import org.jgroups.stack.Protocol;
import org.jgroups.util.Util;
import org.jspecify.annotations.Nullable;

/**
 * Members of JGroups in one process, each with UDP sockets of its own on loopback and IP multicast among them, which find
 * silent ones by all-to-all heartbeats (FD_ALL3) and a ping before they believe it (VERIFY_SUSPECT2). A member knows of a
 * death when its application is handed a view without the dead.
 */
final class JGroupsCluster implements AutoCloseable {
    private static final String NAME = "peers";
    private static final String GROUP = "228.19.19.19";
    private static final int PORT = 17_919;

    /** Less than the default, more than the largest burst here, and what every kernel grants. */
    private static final int BUFFER_BYTES = 200_000;

    private static final long VERIFY_MILLIS = 200;
    private static final long JOIN_MILLIS = 2_000;

    private final List<Member> members = new ArrayList<>();
    private final long heartbeatMillis;
    private final long timeoutMillis;

    /** One member and the time at which it learnt that the present victim is gone. */
    private final class Member implements Receiver {
        final CuttableWire wire = new CuttableWire();
        final JChannel channel;

        Member() throws Exception {
            channel = new JChannel(stack(wire));
            channel.setReceiver(this);
            channel.connect(NAME);
        }

        @Override
        public void viewAccepted(View view) {
            long now = System.nanoTime();
            synchronized (JGroupsCluster.this) {
                Address gone = victim;
                int index = members.indexOf(this);
                if (gone != null && index >= 0 && !view.containsMember(gone) && goneAt[index] == 0) {
                    goneAt[index] = now;
                    gones++;
                }
                JGroupsCluster.this.notifyAll();
            }
        }

        int viewSize() {
            View view = channel.getView();
            return view == null ? 0 : view.size();
        }
    }

    private @Nullable Address victim;
    private long[] goneAt = {};
    private int gones;

    JGroupsCluster(long heartbeatMillis, long timeoutMillis) {
        this.heartbeatMillis = heartbeatMillis;
        this.timeoutMillis = timeoutMillis;
    }

    private Protocol[] stack(CuttableWire wire) throws Exception {
        InetAddress loopback = InetAddress.getLoopbackAddress();
        UDP transport = new UDP();
        transport.setBindAddress(loopback);
        transport.setMulticastAddress(InetAddress.getByName(GROUP)).setMulticastPort(PORT);
        transport.setIpTTL(0);
        transport.setMcastSendBufSize(BUFFER_BYTES).setMcastRecvBufSize(BUFFER_BYTES);
        transport.setUcastSendBufSize(BUFFER_BYTES).setUcastRecvBufSize(BUFFER_BYTES);
        GMS views = new GMS();
        views.setJoinTimeout(JOIN_MILLIS);
        views.printLocalAddress(false);
        return new Protocol[] {
            transport,
            wire,
            new LOCAL_PING(),
            new FD_ALL3().setTimeout(timeoutMillis).setInterval(heartbeatMillis),
            new VERIFY_SUSPECT2().setTimeout(VERIFY_MILLIS),
            new NAKACK2(),
            new UNICAST3(),
            new STABLE(),
            views
        };
    }

    /** Adds members until there are so many that all see all; false if that takes longer than allowed. */
    boolean form(int count, long nanos) throws Exception {
        long end = System.nanoTime() + nanos;
        while (members.size() < count && System.nanoTime() < end) {
            add(new Member());
        }
        return await(() -> members.size() == count && members.stream().allMatch(m -> m.viewSize() == count), end);
    }

    private synchronized void add(Member member) {
        members.add(member);
    }

    int largestView() {
        return members.stream().mapToInt(Member::viewSize).max().orElse(0);
    }

    /** Messages received so far, of each member. */
    long[] received() {
        return members.stream().mapToLong(member -> member.wire.received()).toArray();
    }

    /**
     * Takes a member off the wire, which neither receives nor sends from then on, and waits until all others know; then
     * starts another one in its place.
     */
    Kill kill(int index, long patienceNanos) throws Exception {
        Member dying = members.get(index);
        synchronized (this) {
            goneAt = new long[members.size()];
            gones = 0;
            victim = Objects.requireNonNull(dying.channel.getAddress());
        }
        long killed = System.nanoTime();
        dying.wire.cut();
        boolean known = await(() -> gones >= members.size() - 1, killed + patienceNanos);
        Kill kill = taken(killed, known);
        Util.shutdown(dying.channel);
        synchronized (this) {
            victim = null;
            members.remove(index);
        }
        return kill;
    }

    private synchronized Kill taken(long killed, boolean known) {
        long[] times = Arrays.stream(goneAt).filter(time -> time != 0).toArray();
        long first = Arrays.stream(times).min().orElse(killed) - killed;
        long last = Arrays.stream(times).max().orElse(killed) - killed;
        return new Kill(first, known ? last : Long.MAX_VALUE, 0, 0);
    }

    private synchronized boolean await(BooleanSupplier reached, long end) throws InterruptedException {
        while (!reached.getAsBoolean() && System.nanoTime() - end < 0) {
            TimeUnit.MILLISECONDS.timedWait(this, 20);
        }
        return reached.getAsBoolean();
    }

    @Override
    public void close() {
        for (Member member : members) {
            try {
                Util.shutdown(member.channel);
            } catch (Exception e) {
                System.err.println("peers: a member did not shut down: " + e);
            }
        }
    }
}
