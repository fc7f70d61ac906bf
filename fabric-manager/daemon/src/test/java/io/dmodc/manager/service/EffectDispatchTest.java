package io.dmodc.manager.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.config.ManagerConfig;
import io.dmodc.manager.core.AnyRecord;
import io.dmodc.manager.core.Effect;
import io.dmodc.manager.loop.EventLog;
import io.dmodc.manager.loop.RouteWorker;
import io.dmodc.manager.store.StateStore;
import io.dmodc.routing.check.SurplusEntryRule;
import io.dmodc.routing.dmodc.Dmodc;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EffectDispatchTest {
    @TempDir
    Path directory;

    /** Who performs most of them is not connected here: that is another failure than that nobody is meant to. */
    @Test
    void shouldHaveSomebodyForEveryKindOfEffect() throws Exception {
        try (StateStore store = StateStore.open(directory);
                RecordKeeper keeper = new RecordKeeper(store);
                RouteWorker worker = new RouteWorker(Dmodc.standard(), SurplusEntryRule.FORBIDDEN, 1)) {
            EffectPerformer performer = new EffectPerformer(
                    ManagerConfig.defaults().detector(), worker, keeper, new EventLog(System::currentTimeMillis));

            for (Effect effect : AnyRecord.ofEach(Effect.class)) {
                RuntimeException failure = performed(performer, effect);
                assertThat(failure == null || failure instanceof NullPointerException)
                        .as("%s: %s", effect.getClass().getSimpleName(), failure)
                        .isTrue();
            }
        }
    }

    private static @Nullable RuntimeException performed(EffectPerformer performer, Effect effect) {
        try {
            performer.accept(effect);
            return null;
        } catch (RuntimeException e) {
            return e;
        }
    }
}
