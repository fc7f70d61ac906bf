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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** A switch in memory whose next installation fails as told, and whose installations wait to be let through. */
final class FailingPlane implements ForwardingPlane {
    private final MemoryPlane plane;
    final Semaphore installations = new Semaphore(Integer.MAX_VALUE);
    volatile @Nullable Throwable next;

    FailingPlane(MemoryPlane plane) {
        this.plane = plane;
    }

    @Override
    public CompletionStage<Void> install(TableChange change, InstallProgress progress) {
        return CompletableFuture.runAsync(() -> {
            installations.acquireUninterruptibly();
            Throwable failure = next;
            next = null;
            if (failure instanceof RuntimeException defect) {
                throw defect;
            }
            if (failure instanceof Error error) {
                throw error;
            }
            plane.force(change.table());
        });
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
    public CompletionStage<InstalledTable> readBack() {
        return plane.readBack();
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
