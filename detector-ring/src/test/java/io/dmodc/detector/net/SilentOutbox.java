package io.dmodc.detector.net;

import io.dmodc.detector.RingMessage;
import io.dmodc.detector.RingOutbox;

/** Where messages end that a test does not look at. */
final class SilentOutbox implements RingOutbox {
    @Override
    public void send(int slot, RingMessage message) {}

    @Override
    public void reply(RingMessage message) {}
}
