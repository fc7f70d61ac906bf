package io.dmodc.agent;

import io.dmodc.agent.plane.ForwardingPlane;
import io.dmodc.agent.plane.HelloChannel;
import io.dmodc.agent.plane.InstallProgress;
import io.dmodc.agent.plane.InstalledTable;
import io.dmodc.agent.plane.MemoryPlane;
import io.dmodc.agent.plane.PlaneCapabilities;
import io.dmodc.agent.plane.PlaneListener;
import io.dmodc.agent.plane.PortState;
import io.dmodc.agent.plane.TableChange;
import io.dmodc.agent.plane.TransitChannel;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/** A switch in memory that keeps what it is told of its ports, and lets a test speak as one that repairs. */
final class ToldPlane implements ForwardingPlane {
    /** What an agent said of a port. */
    record Usable(int port, boolean usable) {}

    final BlockingQueue<Usable> told = new LinkedBlockingQueue<>();
    volatile PlaneListener listener = PlaneListener.NOBODY;
    private final MemoryPlane memory;

    private final @Nullable HelloChannel hellos;

    ToldPlane(MemoryPlane memory) {
        this(memory, null);
    }

    /** @param hellos the way of its hellos; null: that of {@code memory} */
    ToldPlane(MemoryPlane memory, @Nullable HelloChannel hellos) {
        this.memory = memory;
        this.hellos = hellos;
    }

    @Override
    public void portUsable(int number, boolean usable) {
        told.add(new Usable(number, usable));
    }

    @Override
    public long guid() {
        return memory.guid();
    }

    @Override
    public String name() {
        return memory.name();
    }

    @Override
    public int portCount() {
        return memory.portCount();
    }

    @Override
    public PortState portState(int number) {
        return memory.portState(number);
    }

    @Override
    public List<PortState> ports() {
        return memory.ports();
    }

    @Override
    public PlaneCapabilities capabilities() {
        return memory.capabilities();
    }

    @Override
    public CompletionStage<InstalledTable> readBack() {
        return memory.readBack();
    }

    @Override
    public CompletionStage<Void> install(TableChange change, InstallProgress progress) {
        return memory.install(change, progress);
    }

    @Override
    public void listen(PlaneListener planeListener) {
        listener = planeListener;
        memory.listen(planeListener);
    }

    @Override
    public @Nullable HelloChannel hellos() {
        return hellos == null ? memory.hellos() : hellos;
    }

    @Override
    public @Nullable TransitChannel transits() {
        return memory.transits();
    }
}
