package io.dmodc.agent.linux;

import io.dmodc.agent.plane.HelloChannel;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** Cabling that a test knows beforehand. */
final class TableCabling implements Cabling {
    final Map<Integer, FarEnd> farEnds = new ConcurrentHashMap<>();
    final Map<Integer, String> carriers = new ConcurrentHashMap<>();
    /** Ports asked, in order. */
    final BlockingQueue<Integer> asked = new LinkedBlockingQueue<>();

    volatile boolean answering;
    private volatile IntConsumer changed = port -> {};

    void set(int port, FarEnd far) {
        farEnds.put(port, far);
        changed.accept(port);
    }

    @Override
    public void carrier(int port, @Nullable String interfaceName) {
        if (interfaceName == null) {
            carriers.remove(port);
        } else {
            carriers.put(port, interfaceName);
        }
    }

    @Override
    public @Nullable FarEnd farEnd(int port) {
        return farEnds.get(port);
    }

    @Override
    public boolean answers(int port) {
        asked.add(port);
        return answering;
    }

    @Override
    public HelloChannel hellos() {
        return new HelloChannel() {
            @Override
            public void send(int port, ByteBuffer hello) {}

            @Override
            public void listen(Listener listener) {}
        };
    }

    @Override
    public void listen(IntConsumer told) {
        changed = told;
    }

    @Override
    public void close() {}
}
