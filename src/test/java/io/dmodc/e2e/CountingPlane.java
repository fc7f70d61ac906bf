package io.dmodc.e2e;

import io.dmodc.agent.plane.ForwardingPlane;
import io.dmodc.agent.plane.HelloChannel;
import io.dmodc.agent.plane.InstalledTable;
import io.dmodc.agent.plane.MemoryPlane;
import io.dmodc.agent.plane.PortState;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** A switch in memory that counts how often a table was written, so that nobody's bookkeeping has to be believed. */
final class CountingPlane implements ForwardingPlane {
    private final MemoryPlane plane;
    private final AtomicInteger installs = new AtomicInteger();

    CountingPlane(MemoryPlane plane) {
        this.plane = plane;
    }

    /** The switch behind it, to be moved by whoever plays with the cables. */
    MemoryPlane memory() {
        return plane;
    }

    int installs() {
        return installs.get();
    }

    @Override
    public void install(InstalledTable table) {
        installs.incrementAndGet();
        plane.install(table);
    }

    @Override
    public InstalledTable installed() {
        return plane.installed();
    }

    @Override
    public long guid() {
        return plane.guid();
    }

    @Override
    public String name() {
        return plane.name();
    }

    @Override
    public int portCount() {
        return plane.portCount();
    }

    @Override
    public PortState portState(int number) {
        return plane.portState(number);
    }

    @Override
    public List<PortState> ports() {
        return plane.ports();
    }

    @Override
    public void listen(IntConsumer listener) {
        plane.listen(listener);
    }

    @Override
    public @Nullable HelloChannel hellos() {
        return plane.hellos();
    }
}
