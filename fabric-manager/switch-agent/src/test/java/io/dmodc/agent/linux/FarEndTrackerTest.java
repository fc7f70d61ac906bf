package io.dmodc.agent.linux;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.agent.linux.FarEndTracker.Verdict;
import io.dmodc.agent.plane.Neighbour.HostPort;
import io.dmodc.agent.plane.Neighbour.SwitchPort;
import io.dmodc.topology.HostAddresses;
import org.junit.jupiter.api.Test;

/** Who is at the far end, and when to speak. */
class FarEndTrackerTest {
    private static final long MS = 1_000_000L;
    private static final long SECOND = 1_000 * MS;

    private static final Announcement SPINE =
            new Announcement(1, new SwitchPort(0x20, 3), 0x0200_0000_0020L, false, false);
    private static final Announcement OTHER =
            new Announcement(1, new SwitchPort(0x30, 1), 0x0200_0000_0030L, false, false);
    private static final Announcement SPINE_ASKS = new Announcement(1, SPINE.sender(), SPINE.mac(), true, false);

    private final FarEndTracker tracker = new FarEndTracker(Announcer.ofSwitch(1, 0x10));

    private static Announcement host(String name, String ipv4) {
        return new Announcement(
                1, new HostPort(0x77, 0x77, 1, name, HostAddresses.parse(0, ipv4, null, null)), 0, false, false);
    }

    @Test
    void shouldAnnounceAtOnceAndThenAtEveryFullSecond() {
        assertThat(tracker.announceAt()).isEqualTo(FarEndTracker.NEVER);

        tracker.begin(5_300 * MS);
        assertThat(tracker.announceAt()).isEqualTo(5_300 * MS);
        assertThat(tracker.asks()).isTrue();

        tracker.announced(5_300 * MS);
        assertThat(tracker.announceAt()).isEqualTo(6 * SECOND);
        tracker.announced(6_010 * MS);
        assertThat(tracker.announceAt()).isEqualTo(7 * SECOND);

        tracker.end();
        assertThat(tracker.announceAt()).isEqualTo(FarEndTracker.NEVER);
    }

    @Test
    void shouldAnswerSomebodyNewAndWhoAsksButNotTooOften() {
        tracker.begin(0);
        tracker.announced(0);

        assertThat(tracker.heard(5 * MS, SPINE)).isEqualTo(Verdict.CHANGED);
        assertThat(tracker.announceAt()).isEqualTo(FarEndTracker.SPACING_NANOS);
        assertThat(tracker.asks()).isFalse();

        tracker.announced(20 * MS);
        tracker.heard(100 * MS, SPINE);
        assertThat(tracker.announceAt()).isEqualTo(SECOND);
        assertThat(tracker.heard(200 * MS, SPINE_ASKS)).isEqualTo(Verdict.KNOWN);
        assertThat(tracker.announceAt()).isEqualTo(200 * MS);
    }

    @Test
    void shouldKeepTheFarEndWithoutCarrierAndTakeTheFirstOneHeardAfterwards() {
        tracker.begin(0);
        tracker.heard(0, SPINE);
        tracker.end();
        assertThat(tracker.farEnd()).isEqualTo(SPINE.farEnd());

        tracker.begin(100 * MS);
        assertThat(tracker.farEnd()).isEqualTo(SPINE.farEnd());
        assertThat(tracker.asks()).isTrue();
        assertThat(tracker.heard(110 * MS, OTHER)).isEqualTo(Verdict.CHANGED);
        assertThat(tracker.farEnd()).isEqualTo(new FarEnd(OTHER.sender(), "02:00:00:00:00:30"));
    }

    @Test
    void shouldStayWithTheFirstOfTwoUntilItWasSilent() {
        tracker.begin(0);
        tracker.heard(0, SPINE);

        assertThat(tracker.heard(SECOND, OTHER)).isEqualTo(Verdict.SECOND);
        assertThat(tracker.heard(2 * SECOND, SPINE)).isEqualTo(Verdict.KNOWN);
        assertThat(tracker.heard(2 * SECOND + FarEndTracker.SILENCE_NANOS - 1, OTHER))
                .isEqualTo(Verdict.SECOND);
        assertThat(tracker.farEnd()).isEqualTo(SPINE.farEnd());
        assertThat(tracker.heard(2 * SECOND + FarEndTracker.SILENCE_NANOS, OTHER))
                .isEqualTo(Verdict.CHANGED);
        assertThat(tracker.heard(6 * SECOND, SPINE)).isEqualTo(Verdict.SECOND);
    }

    @Test
    void shouldTakeOtherAddressesOfTheSameHostOnceASecond() {
        tracker.begin(0);
        assertThat(tracker.heard(0, host("node7", "10.0.0.7"))).isEqualTo(Verdict.CHANGED);

        assertThat(tracker.heard(10 * MS, host("node7", "10.0.0.8"))).isEqualTo(Verdict.KNOWN);
        assertThat(tracker.farEnd()).isEqualTo(host("node7", "10.0.0.7").farEnd());
        assertThat(tracker.heard(SECOND, host("node7", "10.0.0.8"))).isEqualTo(Verdict.CHANGED_AGAIN);
        assertThat(tracker.farEnd()).isEqualTo(host("node7", "10.0.0.8").farEnd());
    }

    @Test
    void shouldNoticeAnotherMac() {
        tracker.begin(0);
        tracker.heard(0, SPINE);

        assertThat(tracker.heard(SECOND, new Announcement(1, SPINE.sender(), 0x0200_0000_0099L, false, false)))
                .isEqualTo(Verdict.CHANGED_AGAIN);
    }

    @Test
    void shouldIgnoreItselfAndOtherClustersWithoutAnAnswer() {
        tracker.begin(0);
        tracker.announced(0);

        assertThat(tracker.heard(1, new Announcement(1, new SwitchPort(0x10, 9), 0, true, false)))
                .isEqualTo(Verdict.OWN);
        assertThat(tracker.heard(2, new Announcement(2, SPINE.sender(), 0, true, false)))
                .isEqualTo(Verdict.ANOTHER_CLUSTER);
        assertThat(tracker.announceAt()).isEqualTo(SECOND);
        assertThat(tracker.farEnd()).isNull();
        assertThat(tracker.asks()).isTrue();
    }

    @Test
    void shouldTellAHostFromASwitchWithItsGuid() {
        FarEndTracker ofHost = new FarEndTracker(Announcer.ofHost(1, new HostPort(0x77, 0x77, 1, "node7")));

        assertThat(ofHost.heard(0, new Announcement(1, new SwitchPort(0x77, 1), 0, false, false)))
                .isEqualTo(Verdict.CHANGED);
        assertThat(ofHost.heard(1, host("node7", "10.0.0.7"))).isEqualTo(Verdict.OWN);
    }
}
