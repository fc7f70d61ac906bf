package io.dmodc.detector;

/**
 * Where a {@link RingDetector} puts its messages. Unreliable, unordered and non-blocking, like the datagrams behind it;
 * must not call the detector back.
 */
public interface RingOutbox {
    /** Sends to the member in this slot of the installed membership. The message is valid only during the call. */
    void send(int slot, RingMessage message);

    /**
     * Sends to wherever the message came from that {@link RingDetector#receive} is looking at now: the sender may be
     * in no slot of the installed membership.
     */
    void reply(RingMessage message);
}
