package io.dmodc.manager.recording;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.Act;
import io.dmodc.manager.core.AnyRecord;
import io.dmodc.manager.core.Effect.Member;
import io.dmodc.manager.core.FabricEvent;
import io.dmodc.manager.core.FabricEvent.ActAsked;
import io.dmodc.manager.core.FabricEvent.Doubt;
import io.dmodc.manager.core.FabricEvent.HeldTable;
import io.dmodc.manager.core.FabricEvent.PortsReported;
import io.dmodc.manager.core.FabricEvent.RefusalReason;
import io.dmodc.manager.core.FabricEvent.RingAddress;
import io.dmodc.manager.core.FabricEvent.Routed;
import io.dmodc.manager.core.FabricEvent.SettingsRead;
import io.dmodc.manager.core.FabricEvent.TableRefused;
import io.dmodc.manager.core.FabricRules;
import io.dmodc.manager.core.Forgettable.CableAt;
import io.dmodc.manager.core.Forgettable.HostPort;
import io.dmodc.manager.core.RefusedEntries;
import io.dmodc.manager.loop.EngineChoice;
import io.dmodc.manager.recording.proto.Event;
import io.dmodc.manager.recording.proto.Start;
import io.dmodc.manager.state.StateRecord.LeaderEpoch;
import io.dmodc.manager.state.StoredState;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.GroupOrder;
import io.dmodc.topology.Host;
import io.dmodc.topology.HostAddresses;
import io.dmodc.topology.LinkRate;
import io.dmodc.topology.NodeTypes;
import io.dmodc.topology.pgft.PgftShape;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is written is what is read, for every kind of event there is. */
class EventCodecTest {
    private static final long TURN = -5_000_000_000_000L;
    private static final HostAddresses ADDRESSES = new HostAddresses(0xbfff, 0x0a000007, -1, -2, 0xffff_ffff_ffffL);

    private static FabricEvent again(FabricEvent event) throws Exception {
        return EventCodec.decode(Event.parseFrom(EventCodec.encode(event, TURN).toByteArray()), TURN);
    }

    @Test
    void shouldReadEachKindOfEventAsItWasWritten() throws Exception {
        List<FabricEvent> events = new ArrayList<>(AnyRecord.ofEach(FabricEvent.class));
        events.removeIf(event -> event instanceof Routed || event instanceof SettingsRead);
        assertThat(events).hasSizeGreaterThan(13);
        events.add(new PortsReported(
                TURN - 7,
                Long.MAX_VALUE,
                -1,
                false,
                List.of(
                        new PortSeen(-1, 1, true, new ToSwitch(0x20, 3)),
                        new PortSeen(-1, 2, false, new ToHost(new Host(1, 2, 3, "höst"))),
                        new PortSeen(-1, 4, true, new ToHost(new Host(1, 2, 3, "höst", ADDRESSES))),
                        new PortSeen(-1, 5, true, new ToHost(new Host(1, 2, 3, "", new HostAddresses(0, -1, 0, 1, 0)))),
                        new PortSeen(-1, 3, false, null),
                        new PortSeen(0x30, 254, true, null)),
                Map.of(1, Doubt.UNHEARD, 3, Doubt.UNDECIDED),
                Map.of(1, new LinkRate(100_000, 4), 4, new LinkRate(25_000, 0))));
        events.add(new TableRefused(
                TURN + 3,
                5,
                6,
                7,
                RefusalReason.OTHER,
                "no",
                new HeldTable(Long.MAX_VALUE, 1L << 40, 1 << 19, Long.MIN_VALUE),
                new RefusedEntries(new TreeMap<>(Map.of(3, 255, (1 << 19) - 1, 0)))));
        events.add(new ActAsked(TURN, Act.forget(List.of(new CableAt(-2, 254))), 0, "ada", ""));
        events.add(new ActAsked(TURN, Act.forget(List.of(new HostPort(-3))), 0, "ada", ""));
        events.add(new SettingsRead(TURN, null, "not read"));

        for (FabricEvent event : events) {
            assertThat(again(event)).isEqualTo(event);
        }
    }

    @Test
    void shouldReadRulesAsTheyWereWritten() throws Exception {
        FabricRules rules = RecordedFabric.rules().withDesign(PgftShape.parse("2;4,4;1,2;1,1"), GroupOrder.GUID);

        FabricRules read =
                Objects.requireNonNull(((SettingsRead) again(new SettingsRead(TURN, rules, "read"))).rules());

        assertThat(read)
                .usingRecursiveComparison()
                .withEqualsForType(NodeTypes::equals, NodeTypes.class)
                .isEqualTo(rules);
        assertThat(read.domains().lines()).containsExactly("manager feed a", "0x0000000000000010 rack r1");
    }

    /** The second number is of a release before there were any. */
    @ParameterizedTest
    @ValueSource(ints = {0, -1, 1023})
    void shouldReadAStartAsItWasWritten(int number) throws Exception {
        RunStart start = new RunStart(
                RecordedFabric.rules(),
                -1,
                1_800_000_000_000L,
                StoredState.of(List.of(new LeaderEpoch(9))),
                Set.of(-1L, 2L),
                List.of(3L, -4L),
                new Member(-5, -6, new RingAddress("", 7471)),
                number,
                new EngineChoice("updn", "minhop", List.of("0x1", "0x2"), "recorded roots"));

        RunStart read = RunStart.of(Start.parseFrom(start.message().toByteArray()));

        assertThat(read)
                .usingRecursiveComparison()
                .withEqualsForType(NodeTypes::equals, NodeTypes.class)
                .isEqualTo(start);
    }
}
