package io.dmodc.manager.loop;

import io.dmodc.routing.Parallel;
import java.util.concurrent.CountDownLatch;

/** Planning that comes to its end when it is let go: as if the fabric were very large. */
public final class HeldPlanning {
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    public final ActPlanning planning =
            new ActPlanning(new EngineChoice("dmodc", null, null, "roots"), true, this::held, 0, () -> 0);

    private void held(int count, java.util.function.IntConsumer body) {
        begun.countDown();
        try {
            goOn.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Parallel.sequential().forEach(count, body);
    }

    /** Returns when the first plan is being made. */
    public void awaitBegun() throws InterruptedException {
        begun.await();
    }

    public void letGo() {
        goOn.countDown();
    }
}
