package io.dmodc.agent.linux;

import io.dmodc.agent.plane.HelloChannel;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** Cabling that a test knows beforehand. */
final class TableCabling implements Cabling {
    final Map<Integer, FarEnd> farEnds = new ConcurrentHashMap<>();
    final Map<Integer, String> carriers = new ConcurrentHashMap<>();
    /** Ports asked, in order. */
    final BlockingQueue<Integer> asked = new LinkedBlockingQueue<>();

    volatile boolean answering;

    /** The way for withdrawals. */
    volatile CableFrames frames = new Wires();

    private final Map<Integer, Consumer<byte[]>> wires = new ConcurrentHashMap<>();
    private volatile CableFrames.Ear ear = (port, frame) -> {};

    private volatile IntConsumer changed = port -> {};

    void set(int port, FarEnd far) {
        farEnds.put(port, far);
        changed.accept(port);
    }

    /** What is sent at a port arrives at the other end of its cable, on that thread, while both have carrier. */
    void wire(int port, TableCabling far, int farPort, Executor cables) {
        wires.put(port, frame -> cables.execute(() -> far.arrived(farPort, frame)));
    }

    private void arrived(int port, byte[] bytes) {
        if (carriers.containsKey(port)) {
            ear.arrived(port, ByteBuffer.wrap(bytes));
        }
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
    public CableFrames withdrawals() {
        return frames;
    }

    @Override
    public void listen(IntConsumer told) {
        changed = told;
    }

    @Override
    public void close() {}

    private final class Wires implements CableFrames {
        @Override
        public void send(int port, ByteBuffer frame) {
            Consumer<byte[]> wire = wires.get(port);
            if (wire != null && carriers.containsKey(port)) {
                byte[] bytes = new byte[frame.remaining()];
                frame.get(bytes);
                wire.accept(bytes);
            }
        }

        @Override
        public void listen(Ear told) {
            ear = told;
        }
    }
}
