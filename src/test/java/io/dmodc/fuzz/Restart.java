package io.dmodc.fuzz;

import com.google.protobuf.InvalidProtocolBufferException;
import io.dmodc.manager.config.ManagerConfig;
import io.dmodc.manager.core.Effect;
import io.dmodc.manager.core.FabricState;
import io.dmodc.manager.core.FabricStep;
import io.dmodc.manager.core.SwitchDomains;
import io.dmodc.manager.state.StateRecord;
import io.dmodc.manager.state.StateRecord.LeaderEpoch;
import io.dmodc.manager.state.StoredState;
import io.dmodc.manager.store.RecordCodec;
import io.dmodc.manager.store.StateExport;
import io.dmodc.manager.store.proto.Record;
import io.dmodc.topology.NodeTypes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** What must hold of each state that was read. */
final class Restart {
    private static final String AGAIN = "again.jsonl";

    private Restart() {}

    /** It is the same when it was exported or stored and is read again. */
    static void requireKept(StoredState state) throws IOException {
        StringBuilder text = new StringBuilder();
        StateExport.write(state, text);
        byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        requireSame(state, StateExport.read(AGAIN, new ByteArrayInputStream(bytes)), "exported");
        StoredState stored = new StoredState();
        try {
            for (StateRecord record : state.records()) {
                stored.apply(RecordCodec.decode(
                        Record.parseFrom(RecordCodec.message(record).toByteArray())));
            }
        } catch (InvalidProtocolBufferException e) {
            throw new UncheckedIOException(e);
        }
        requireSame(state, stored, "stored");
    }

    private static void requireSame(StoredState state, StoredState again, String how) {
        if (!List.copyOf(again.records()).equals(List.copyOf(state.records()))) {
            throw new IllegalStateException("another state when " + how + ": " + again.records());
        }
    }

    /** A manager starts from it and waits for agents, or says in one line what does not fit together. */
    static void requireStart(StoredState state) {
        FabricState started;
        try {
            state.apply(new LeaderEpoch(state.leaderEpoch() + 1));
            started = new FabricState(
                    ManagerConfig.defaults().rules(SwitchDomains.none(), NodeTypes.NONE), 0, 0, state, Set.of());
        } catch (IllegalArgumentException refused) {
            OneLine.require(refused, "");
            return;
        }
        List<Effect> effects = new ArrayList<>();
        FabricStep step = new FabricStep(started);
        step.settle(1, effects);
        step.settle(TimeUnit.HOURS.toNanos(1), effects);
        for (Effect effect : effects) {
            if (effect instanceof Effect.Defect defect) {
                throw new IllegalStateException(defect.note().text(), defect.cause());
            }
        }
    }
}
