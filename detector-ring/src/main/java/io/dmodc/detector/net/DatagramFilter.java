package io.dmodc.detector.net;

import io.dmodc.detector.DropReason;
import io.dmodc.detector.Membership;
import io.dmodc.detector.RingDetector;
import io.dmodc.detector.RingMessage;
import io.netty.buffer.ByteBuf;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lets a datagram through to the detector if it is well formed, made with the ring's key, from its sender's address,
 * and new. What the detector itself then thinks of it is no matter of the filter. Confined to the event loop; allocates
 * nothing for a datagram but where a sender is heard for the first time.
 */
public final class DatagramFilter {
    private DatagramMac mac;
    private final RingDetector detector;
    private final RingMessage message = new RingMessage();
    private final ReplayWindows windows = new ReplayWindows();

    private @Nullable Membership membership;
    private List<InetSocketAddress> addresses = List.of();

    /** Lets nothing through but to this detector, which may belong to no ring yet. */
    public DatagramFilter(DatagramMac mac, RingDetector detector) {
        this.mac = mac;
        this.detector = detector;
    }

    /** Judges by these keys from now on. */
    public void use(DatagramMac newMac) {
        mac = newMac;
    }

    /**
     * Knows from now on where each slot's datagrams come from.
     *
     * @param table what the detector has installed, or is about to
     * @param slotAddresses one per slot
     */
    public void install(Membership table, List<InetSocketAddress> slotAddresses) {
        membership = table;
        addresses = slotAddresses;
    }

    /** What the datagram says that was let through last. */
    public RingMessage message() {
        return message;
    }

    /** Returns why these bytes go no further, or null if {@link #message} is for the detector. */
    public @Nullable DropReason refusal(ByteBuf bytes, InetSocketAddress source) {
        DropReason malformed = Datagram.read(bytes, mac, message);
        if (malformed != null) {
            return malformed;
        }
        if (isForeignSource(source)) {
            return DropReason.SOURCE;
        }
        return switch (windows.admit(message.senderGuid, message.incarnation, message.sequence)) {
            case NEW -> null;
            case REPEATED -> DropReason.REPLAY;
            case OUTDATED -> isKnownOutdated() ? null : DropReason.REPLAY;
        };
    }

    /** True if the sender's slot is known and receives elsewhere. In a foreign epoch the GUID tells the slot. */
    private boolean isForeignSource(InetSocketAddress source) {
        if (membership == null) {
            return false;
        }
        int slot = message.epoch == membership.epoch() ? message.fromSlot : membership.slotOf(message.senderGuid);
        return slot >= 0 && slot < addresses.size() && !addresses.get(slot).equals(source);
    }

    /**
     * True if the detector, too, knows a later incarnation of the sender: then it answers with that, which a restarted
     * sender needs to hear, and does nothing else. There is no window any more that could tell a repetition.
     */
    private boolean isKnownOutdated() {
        return membership != null
                && message.epoch == membership.epoch()
                && message.fromSlot < membership.slotCount()
                && Integer.compareUnsigned(message.incarnation, detector.incarnation(message.fromSlot)) < 0;
    }
}
