package io.dmodc.detector.acceptance;

import java.util.concurrent.atomic.AtomicLong;
import org.jgroups.Message;
import org.jgroups.stack.Protocol;
import org.jgroups.util.MessageBatch;
import org.jspecify.annotations.Nullable;

/** Sits in a member of JGroups right above its sockets: counts what arrives, and once cut lets nothing pass either way. */
public final class CuttableWire extends Protocol {
    private final AtomicLong received = new AtomicLong();
    private volatile boolean cut;

    void cut() {
        cut = true;
    }

    /** Messages that arrived before the cut; several of them may share a datagram. */
    long received() {
        return received.get();
    }

    @Override
    public @Nullable Object down(Message message) {
        return cut ? null : super.down(message);
    }

    @Override
    public @Nullable Object up(Message message) {
        if (cut) {
            return null;
        }
        received.incrementAndGet();
        return super.up(message);
    }

    @Override
    public void up(MessageBatch batch) {
        if (!cut) {
            received.addAndGet(batch.size());
            super.up(batch);
        }
    }
}
