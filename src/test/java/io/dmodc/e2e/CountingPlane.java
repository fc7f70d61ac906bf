package io.dmodc.e2e;

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
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
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

    /** What it forwards with. */
    InstalledTable installed() {
        return plane.installed();
    }

    int installs() {
        return installs.get();
    }

    @Override
    public CompletionStage<Void> install(TableChange change, InstallProgress progress) {
        installs.incrementAndGet();
        return plane.install(change, progress);
    }

    @Override
    public CompletionStage<InstalledTable> readBack() {
        return plane.readBack();
    }

    @Override
    public PlaneCapabilities capabilities() {
        return plane.capabilities();
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
    public void listen(PlaneListener listener) {
        plane.listen(listener);
    }

    @Override
    public @Nullable HelloChannel hellos() {
        return plane.hellos();
    }

    @Override
    public @Nullable TransitChannel transits() {
        return plane.transits();
    }
}
