package io.dmodc.manager.recording;

import io.dmodc.manager.core.Effect.Member;
import io.dmodc.manager.core.FabricRules;
import io.dmodc.manager.core.FabricState;
import io.dmodc.manager.loop.EngineChoice;
import io.dmodc.manager.loop.RowDigests;
import io.dmodc.manager.recording.proto.Engines;
import io.dmodc.manager.recording.proto.RingPlace;
import io.dmodc.manager.recording.proto.Start;
import io.dmodc.manager.state.LeaderEpochs;
import io.dmodc.manager.state.StateRecord;
import io.dmodc.manager.state.StoredState;
import io.dmodc.manager.store.RecordCodec;
import io.dmodc.settings.BuildInfo;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * All that a manager's core begins with. The same start and the same turns give the same epochs.
 *
 * @param nowNanos monotonic
 * @param millis since 1970, at that moment
 * @param stored with the leader epoch already raised; not changed afterwards
 * @param expected switches to wait for besides those that are known
 * @param allowed switches that count although no cable ties them to others
 * @param ringPlace of the manager; {@code null} when it has none
 * @param managerNumber in its leader epochs, or {@link LeaderEpochs#NO_NUMBER} in recordings of a release before there were any
 */
public record RunStart(
        FabricRules rules,
        long nowNanos,
        long millis,
        StoredState stored,
        Set<Long> expected,
        List<Long> allowed,
        @Nullable Member ringPlace,
        int managerNumber,
        EngineChoice engines) {
    /** The newest form this release reads, and the one it writes. */
    static final int FORMAT = 1;

    public RunStart {
        expected = Set.copyOf(expected);
        allowed = List.copyOf(allowed);
    }

    /** @throws IllegalArgumentException in one line when records contradict each other */
    public FabricState state() {
        FabricState state = new FabricState(rules, nowNanos, millis, stored, expected);
        state.allow(allowed);
        state.takeNumber(managerNumber);
        state.routesBy(engines.engine(), engines::basis);
        state.digestsBy(RowDigests.RULE);
        if (engines.fallback() != null) {
            state.fallBackTo(engines.fallback());
        }
        if (ringPlace != null) {
            state.takeRingPlace(ringPlace);
        }
        return state;
    }

    Start message() {
        Start.Builder out = Start.newBuilder()
                .setFormat(FORMAT)
                .setWriter(BuildInfo.read().version())
                .setNanos(nowNanos)
                .setMillis(millis)
                .setRules(RulesCodec.encode(rules))
                .addAllAllowed(allowed);
        expected.stream().sorted().forEach(out::addExpected);
        stored.records().forEach(record -> out.addRecords(RecordCodec.message(record)));
        if (ringPlace != null) {
            out.setRingPlace(RingPlace.newBuilder()
                    .setGuid(ringPlace.guid())
                    .setIncarnation(ringPlace.incarnation())
                    .setAddress(EventCodec.encode(ringPlace.address())));
        }
        if (managerNumber != LeaderEpochs.NO_NUMBER) {
            out.setManagerNumber(managerNumber);
        }
        Engines.Builder choice = out.getEnginesBuilder().setEngine(engines.engine());
        if (engines.fallback() != null) {
            choice.setFallback(engines.fallback());
        }
        List<String> roots = engines.rootLines();
        if (roots != null) {
            choice.setRootsNamed(true).addAllRoots(roots);
        }
        return out.build();
    }

    /** @throws IllegalArgumentException in a few words when this cannot be a start */
    static RunStart of(Start in) {
        if (in.getFormat() > FORMAT) {
            throw new IllegalArgumentException("form " + in.getFormat() + ", written by fabric-manager "
                    + in.getWriter() + "; expected up to " + FORMAT + ": replay it with that release");
        }
        List<StateRecord> records =
                in.getRecordsList().stream().map(RecordCodec::decode).toList();
        Engines engines = in.getEngines();
        return new RunStart(
                RulesCodec.decode(in.getRules()),
                in.getNanos(),
                in.getMillis(),
                StoredState.of(records),
                new HashSet<>(in.getExpectedList()),
                in.getAllowedList(),
                in.hasRingPlace()
                        ? new Member(
                                in.getRingPlace().getGuid(),
                                in.getRingPlace().getIncarnation(),
                                EventCodec.decode(in.getRingPlace().getAddress()))
                        : null,
                in.hasManagerNumber() ? in.getManagerNumber() : LeaderEpochs.NO_NUMBER,
                new EngineChoice(
                        engines.getEngine(),
                        engines.getFallback().isEmpty() ? null : engines.getFallback(),
                        engines.getRootsNamed() ? engines.getRootsList() : null,
                        "recorded roots"));
    }
}
