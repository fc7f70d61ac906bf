package io.dmodc.detector.peers;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Consumer;
import org.jgroups.Address;
import org.jgroups.Event;
import org.jgroups.JChannel;
import org.jgroups.Receiver;
import org.jgroups.View;
import org.jgroups.protocols.DISCARD;
import org.jgroups.protocols.FD_ALL3;
import org.jgroups.protocols.LOCAL_PING;
import org.jgroups.protocols.MsgStats;
import org.jgroups.stack.ProtocolStack;

/**
 * One JGroups channel: the library's UDP stack, with FD_ALL3 and VERIFY_SUSPECT2 as its failure detection.
 *
 * <p>Real sockets with multicast on loopback, the library's default and the cheapest for it: without multicast each
 * heartbeat is a system call per member, and 64 members did not hold together on a busy machine. Members find each
 * other through a table in the process, which is quiet afterwards. There is no FD_SOCK, which sees closed sockets only,
 * and no merging: nobody comes back who was not told to. DISCARD, above the transport, is how a member falls silent.
 */
final class JGroupsMember implements Receiver, AutoCloseable {
    private static final String CLUSTER = "peers";

    private static final String TRANSPORT_AND_DISCOVERY = """
            <UDP bind_addr="127.0.0.1" ip_mcast="true" mcast_port="%d" ip_ttl="0" diag.enabled="false"
                 ucast_recv_buf_size="4M" ucast_send_buf_size="1M" mcast_recv_buf_size="4M" mcast_send_buf_size="1M"
                 thread_pool.min_threads="0" thread_pool.max_threads="200"/>
            <DISCARD/>
            <LOCAL_PING/>
            """;

    private static final String REST = """
            <VERIFY_SUSPECT2 timeout="%d"/>
            <pbcast.NAKACK2 use_mcast_xmit="false"/>
            <UNICAST3/>
            <pbcast.STABLE desired_avg_gossip="50s" max_bytes="4M"/>
            <pbcast.GMS print_local_addr="false" join_timeout="2s" leave_timeout="100"/>
            """;

    private static final String DETECTION = """
            <FD_ALL3 timeout="%d" interval="%d"/>
            """;

    private final JChannel channel;
    private final DISCARD discard;
    private final Consumer<List<Address>> onLeft;
    private volatile List<Address> members = List.of();

    /**
     * @param detecting whether it detects failures from the start; else {@link #detect} begins it
     * @param onLeft    hears, on a thread of the channel, who is missing from each new view
     */
    JGroupsMember(String name, int multicastPort, PeerTiming timing, boolean detecting, Consumer<List<Address>> onLeft)
            throws Exception {
        this.onLeft = onLeft;
        String detection = detecting ? DETECTION.formatted(timing.silenceMillis(), timing.heartbeatMillis()) : "";
        String stack = "<config xmlns=\"urn:org:jgroups\">" + TRANSPORT_AND_DISCOVERY.formatted(multicastPort)
                + detection + REST.formatted(timing.verifyMillis()) + "</config>";
        channel = new JChannel(new ByteArrayInputStream(stack.getBytes(StandardCharsets.UTF_8)));
        channel.name(name).receiver(this);
        discard = channel.getProtocolStack().findProtocol(DISCARD.class);
        stats().enable(true);
    }

    void connect() throws Exception {
        channel.connect(CLUSTER);
    }

    Address address() {
        return channel.getAddress();
    }

    int viewSize() {
        return members.size();
    }

    /**
     * Puts a new FD_ALL3 where the stack would have it, in place of the present one if there is one, and tells it the
     * view it would have been told.
     */
    void detect(int heartbeatMillis, int silenceMillis) throws Exception {
        ProtocolStack stack = channel.getProtocolStack();
        stack.removeProtocol(FD_ALL3.class.getSimpleName());
        FD_ALL3 detection = new FD_ALL3().setInterval(heartbeatMillis);
        detection.setTimeout(silenceMillis);
        detection.setProtocolStack(stack);
        stack.insertProtocol(detection, ProtocolStack.Position.ABOVE, LOCAL_PING.class);
        detection.init();
        detection.start();
        detection.down(new Event(Event.VIEW_CHANGE, channel.view()));
    }

    void fallSilent() {
        discard.discardAll(true);
    }

    long sent() {
        return stats().getNumMsgsSent();
    }

    long received() {
        return stats().getNumMsgsReceived();
    }

    private MsgStats stats() {
        return channel.getProtocolStack().getTransport().getMessageStats();
    }

    @Override
    public void viewAccepted(View next) {
        List<Address> left = members.stream()
                .filter(address -> !next.containsMember(address))
                .toList();
        members = List.copyOf(next.getMembers());
        onLeft.accept(left);
    }

    @Override
    public void close() {
        channel.close();
    }
}
