package io.dmodc.agent;

import java.util.BitSet;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * Port changes on their way from whatever thread noticed them to the agent's event loop. A port that changes again
 * before the loop looked is one change, so a flapping cable cannot fill a queue.
 */
final class PortChangeQueue implements IntConsumer {
    private final Executor loop;
    private final Consumer<BitSet> reader;
    private BitSet pending = new BitSet();

    /**
     * @param loop where {@code reader} runs
     * @param reader gets the numbers of changed ports
     */
    PortChangeQueue(Executor loop, Consumer<BitSet> reader) {
        this.loop = loop;
        this.reader = reader;
    }

    @Override
    public void accept(int number) {
        synchronized (this) {
            boolean first = pending.isEmpty();
            pending.set(number);
            if (!first) {
                return;
            }
        }
        loop.execute(this::drain);
    }

    private void drain() {
        BitSet changed;
        synchronized (this) {
            changed = pending;
            pending = new BitSet();
        }
        reader.accept(changed);
    }
}
