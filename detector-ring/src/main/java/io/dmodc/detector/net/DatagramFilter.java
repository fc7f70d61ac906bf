package io.dmodc.detector.net;

import io.dmodc.detector.DropReason;
import io.dmodc.detector.Membership;
import io.dmodc.detector.RingDetector;
import io.dmodc.detector.RingMessage;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lets a datagram through to the detector if it is well formed, of a member of the ring, from its address, made with the
 * ring's key for this one, and new. What the detector itself then thinks of it is no matter of the filter. Confined to the event loop; allocates
 * nothing for a datagram but where a sender is heard for the first time.
 */
public final class DatagramFilter {
    private DatagramMac mac;
    private final long ownGuid;
    private final RingDetector detector;
    private final RingMessage message = new RingMessage();
    private final ReplayWindows windows = new ReplayWindows();

    private @Nullable Membership membership;
    private List<InetSocketAddress> addresses = List.of();

    /**
     * Lets nothing through but to this detector, which may belong to no ring yet.
     *
     * @param ownGuid the detector's: what was made for others is refused
     */
    public DatagramFilter(DatagramMac mac, long ownGuid, RingDetector detector) {
        this.mac = mac;
        this.ownGuid = ownGuid;
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

    /**
     * Returns why these bytes go no further, or null if {@link #message} is for the detector. What costs little is asked
     * first, so a reason before {@link DropReason#MAC} is said of bytes that anybody may have made.
     */
    public @Nullable DropReason refusal(ByteBuffer bytes, InetSocketAddress source) {
        DropReason malformed = Datagram.parse(bytes, message);
        if (malformed != null) {
            return malformed;
        }
        Membership table = membership;
        if (table == null) {
            return DropReason.NO_MEMBERSHIP;
        }
        DropReason stranger = stranger(table, source);
        if (stranger != null) {
            return stranger;
        }
        if (!Datagram.isSealed(bytes, mac, ownGuid)) {
            return DropReason.MAC;
        }
        return switch (windows.admit(message.senderGuid, message.incarnation, message.sequence)) {
            case NEW -> null;
            case REPEATED -> DropReason.REPLAY;
            case OUTDATED -> isKnownOutdated(table) ? null : DropReason.REPLAY;
        };
    }

    /**
     * Why nobody in the membership sends this from there, or null. Of a foreign epoch the slots are not known, and its
     * sender may be none of the members.
     */
    private @Nullable DropReason stranger(Membership table, InetSocketAddress source) {
        if (message.cluster != table.cluster()) {
            return DropReason.CLUSTER;
        }
        int slot = table.slotOf(message.senderGuid);
        if (message.epoch == table.epoch() && (slot < 0 || message.fromSlot != slot)) {
            return DropReason.SLOT;
        }
        return slot >= 0 && !addresses.get(slot).equals(source) ? DropReason.SOURCE : null;
    }

    /**
     * Where the sender of what was refused last as {@link DropReason#SOURCE} receives; null if these bytes are not from
     * a member.
     */
    @Nullable
    InetSocketAddress expectedSource(ByteBuffer bytes) {
        int slot = membership == null ? -1 : membership.slotOf(message.senderGuid);
        return slot >= 0 && Datagram.isSealed(bytes, mac, ownGuid) ? addresses.get(slot) : null;
    }

    /**
     * True if the detector, too, knows a later incarnation of the sender: then it answers with that, which a restarted
     * sender needs to hear, and does nothing else. There is no window any more that could tell a repetition.
     */
    private boolean isKnownOutdated(Membership table) {
        return message.epoch == table.epoch()
                && Integer.compareUnsigned(message.incarnation, detector.incarnation(message.fromSlot)) < 0;
    }
}
