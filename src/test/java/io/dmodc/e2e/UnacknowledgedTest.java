package io.dmodc.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.agent.plane.Cable;
import io.dmodc.agent.plane.InstalledTable;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.core.SwitchRecord.Condition;
import io.dmodc.southbound.proto.ManagerFrame;
import io.dmodc.southbound.proto.Refusal;
import io.dmodc.southbound.proto.Refusal.Reason;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An agent that does not take its table is given up after bounded tries, and nobody else suffers. */
class UnacknowledgedTest {
    /** Two parallel cables between each leaf and each spine. */
    private static final String PGFT = "2;2,3;1,3;1,2";

    private static final int SPINE_PORTS = 6;

    @TempDir
    Path directory;

    private final SortedSet<Long> guids = Site.guidsOf(PGFT);
    private final long spine = guids.last();

    private void awaitOthersServed(RunningManager manager) {
        manager.awaitCalm(
                "the others served",
                state -> guids.headSet(spine).stream().allMatch(guid -> RunningManager.served(state, guid)));
    }

    /** It holds no table, so the others must not send anything through it either. */
    @Test
    void shouldFlagAnAgentThatNeverAcknowledges() throws Exception {
        Map<String, String> settings = Map.of("push.tries", "2", "push.ack-timeout", "250ms");
        try (RunningManager manager = RunningManager.open(directory, guids.headSet(spine), settings);
                Site site = Site.of(PGFT, manager.southbound()).startAgentsExcept(spine)) {
            awaitOthersServed(manager);
            try (RawPeer mute = RawPeer.at(manager.southbound())) {
                mute.says(RawPeer.frame(RawPeer.hello(spine, SPINE_PORTS)))
                        .isWelcomed()
                        .says(RawPeer.frame(RawPeer.reportOf(site.plane(spine))));

                List<ManagerFrame> heard = mute.hearsToTheEnd();

                assertThat(heard.stream().filter(ManagerFrame::hasTablePush)).hasSize(2);
                Refusal refusal = heard.get(heard.size() - 1).getRefusal();
                assertThat(refusal.getReason()).isEqualTo(Reason.NOT_ACKNOWLEDGING);
                assertThat(refusal.getText()).isEqualTo("table not acknowledged in 2 tries");
            }
            boolean flagged = manager.ask(
                    state -> Objects.requireNonNull(state.findSwitch(spine)).flagged());
            assertThat(flagged).isTrue();
            assertThat(manager.notes(Kind.AGENT_FLAGGED)).anyMatch(note -> note.guid() == spine);
            awaitOthersServed(manager);
            manager.awaitValid(site);
        }
    }

    /**
     * The spine keeps sending by its old table into the cable that was cut. Whether the tries are used up first or the ring
     * tells its silence first, packets that would go there must be led around it.
     */
    @ParameterizedTest
    @CsvSource({"250ms, 30s", "30s, 1s"})
    void shouldLeadAroundASwitchWhoseAgentHangsBeforeItTookItsTable(String ackTimeout, String suspicion)
            throws Exception {
        Map<String, String> settings =
                Map.of("push.tries", "2", "push.ack-timeout", ackTimeout, "detector.suspicion", suspicion);
        try (RunningManager manager = RunningManager.open(directory, guids, settings);
                Site site = Site.of(PGFT, manager.southbound()).startAgents()) {
            manager.awaitAllServed(site);
            InstalledTable old = site.plane(spine).installed();
            Cable oneOfTwo = site.cableAt(spine, 1);

            site.hangAgent(spine);
            site.cut(oneOfTwo);
            manager.awaitCalm(
                    "spine without agent", state -> RunningManager.condition(state, spine) == Condition.HEADLESS);
            awaitOthersServed(manager);
            manager.awaitDelivered(site);

            assertThat(site.plane(spine).installed()).isSameAs(old);
        }
    }
}
