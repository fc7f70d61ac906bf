package io.dmodc.detector.link;

import static io.dmodc.detector.link.VirtualCable.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a cable can do to its ends, each once by name and then by many seeds. */
class LinkLivenessTest {
    private static final LinkRules RULES = LinkRules.of(100 * MILLI, 3);
    private static final int SEEDS = 300;

    private VirtualCable cable = new VirtualCable(1, RULES);

    @BeforeEach
    void connect() {
        cable.start(0);
        cable.start(1);
        cable.run(1000 * MILLI);
        assertThat(cable.bothUp()).isTrue();
        cable.heard.clear();
    }

    @Test
    void shouldWaitWithItsVerdictWhenTheFarAgentWasStartedAnew() {
        cable.replace(1);
        cable.start(1);
        cable.run(500 * MILLI);

        assertThat(cable.bothUp()).isTrue();
        assertThat(cable.heard).noneMatch(told -> told.handshakeStatus() == HandshakeStatus.LOST);
        assertThat(cable.toldAt(0, 0, HandshakeStatus.PENDING)).as("it noticed").isPositive();
    }

    @Test
    void shouldCallItLostWhenARestartedFarAgentCannotBeReached() {
        cable.blocked[0] = true;
        cable.replace(1);
        cable.start(1);
        long restart = cable.now;

        cable.run(2 * RULES.graceNanos());

        assertThat(cable.toldAt(restart, 0, HandshakeStatus.LOST) - restart)
                .isBetween(RULES.graceNanos(), RULES.graceNanos() + 2 * MILLI);
        assertThat(cable.ends[1].handshakeStatus()).isEqualTo(HandshakeStatus.LOST);
    }

    @Test
    void shouldNoticeACableThatWasMovedToAnotherPort() {
        VirtualCable other = new VirtualCable(2, RULES);
        other.start(0);
        other.start(1);
        other.run(1000 * MILLI);
        cable.ends[1] = other.ends[1];

        cable.run(400 * MILLI);

        assertThat(cable.drops).contains(HelloDropReason.DISCRIMINATOR);
        assertThat(cable.toldAt(0, 0, HandshakeStatus.LOST)).isPositive();
    }

    @Test
    void shouldDoubtASilentFarEndOnceAfterHalfTheDetectionTime() {
        assertThat(cable.doubts).as("hellos come in time").isEmpty();
        cable.blocked[1] = true;
        long silent = cable.now;

        cable.run(200 * MILLI);

        assertThat(cable.doubts).hasSize(1).allSatisfy(doubt -> {
            assertThat(doubt.end()).isZero();
            assertThat(doubt.at() - silent).isBetween(50 * MILLI, 150 * MILLI + delay());
        });
        assertThat(cable.ends[0].state()).isEqualTo(LinkState.UP);
    }

    private long delay() {
        return cable.delayMax;
    }

    @Test
    void shouldTakeACondemnedCableForLostAtOnceAndSaySo() {
        cable.blocked[1] = true;
        cable.run(160 * MILLI);
        cable.blocked[1] = false;

        cable.condemn(0);
        long condemned = cable.now;
        cable.run(2 * MILLI);

        assertThat(cable.toldAt(condemned, 0, HandshakeStatus.LOST)).isEqualTo(condemned);
        assertThat(cable.toldAt(condemned, 1, HandshakeStatus.LOST))
                .as("the other end hears of it")
                .isPositive();
    }

    @Test
    void shouldNotCondemnACableThatBroughtAHelloSinceItWasDoubted() {
        cable.blocked[1] = true;
        cable.run(160 * MILLI);
        cable.blocked[1] = false;
        cable.run(100 * MILLI + delay());
        assertThat(cable.doubts).hasSize(1);

        cable.condemn(0);

        assertThat(cable.heard).isEmpty();
        assertThat(cable.bothUp()).isTrue();
    }

    /** It came while somebody else found out that the cable does not carry. */
    @Test
    void shouldReadWhatWaitsBeforeItTakesACondemnedCableForLost() {
        blockUntilDoubted();
        cable.frozen[0] = true;
        cable.run(100 * MILLI + delay());

        cable.condemn(0);
        cable.frozen[0] = false;
        cable.run(MILLI);

        assertThat(cable.heard).isEmpty();
        assertThat(cable.bothUp()).isTrue();
    }

    /** The processor was taken from it between reading and judging, for less than what counts as late. */
    @Test
    void shouldJudgeSilenceByTheTimeOfItsLastReading() {
        blockUntilDoubted();
        cable.blocked[1] = true;
        cable.run(RULES.detectionNanos() / 2 - 5 * MILLI);
        cable.blocked[1] = false;
        cable.frozen[0] = true;
        cable.run(95 * MILLI);

        cable.tick(0, 95 * MILLI);
        cable.frozen[0] = false;
        cable.run(10 * MILLI);

        assertThat(cable.heard).isEmpty();
        assertThat(cable.bothUp()).isTrue();
    }

    /** From now on the far end can be heard again, and has not been. */
    private void blockUntilDoubted() {
        cable.blocked[1] = true;
        while (cable.doubts.isEmpty()) {
            cable.run(MILLI);
        }
        cable.blocked[1] = false;
    }

    @Test
    void shouldNotBlameTheFarEndForItsOwnPause() {
        cable.blocked[1] = true;
        cable.run(150 * MILLI);
        cable.frozen[0] = true;
        cable.run(700 * MILLI);
        cable.frozen[0] = false;
        cable.blocked[1] = false;
        cable.run(199 * MILLI);

        assertThat(cable.ends[0].lateWakeUps()).isEqualTo(1);
        assertThat(cable.heard).noneMatch(told -> told.end() == 0 && told.handshakeStatus() == HandshakeStatus.LOST);
    }

    @Test
    void shouldExcuseItsOwnPauseOnlyOncePerHelloHeard() {
        cable.blocked[1] = true;
        cable.frozen[0] = true;
        cable.run(1000 * MILLI);
        long thaw = cable.now;
        cable.frozen[0] = false;

        cable.run(1000 * MILLI);

        assertThat(cable.toldAt(thaw, 0, HandshakeStatus.LOST) - thaw).isBetween(199 * MILLI, 201 * MILLI);
    }

    /** The far end rightly heard nothing during the pause; that says nothing about the cable. */
    @ParameterizedTest
    @CsvSource({"350", "1000", "5000"})
    void shouldNotCallTheCableLostWhenTheFarEndMissedItDuringItsOwnPause(long pause) {
        for (int seed = 0; seed < SEEDS; seed++) {
            cable = new VirtualCable(seed, RULES);
            cable.start(0);
            cable.start(1);
            cable.run((1000 + seed) * MILLI);
            cable.heard.clear();

            cable.frozen[0] = true;
            cable.run(pause * MILLI);
            cable.frozen[0] = false;
            cable.run(3000 * MILLI);

            assertThat(cable.bothUp()).as("seed %d", seed).isTrue();
            assertThat(cable.heard)
                    .as("seed %d", seed)
                    .noneMatch(told -> told.end() == 0 && told.handshakeStatus() == HandshakeStatus.LOST);
        }
    }

    /** It reads now and then, and does not get to say anything: no single delay is long, and the far end misses it all the same. */
    @Test
    void shouldNotCallTheCableLostWhenTheFarEndMissedItDuringManyShortPauses() {
        for (int seed = 0; seed < SEEDS / 6; seed++) {
            cable = new VirtualCable(seed, RULES);
            cable.start(0);
            cable.start(1);
            cable.run((1000 + seed) * MILLI);
            cable.heard.clear();

            cable.onlyReads[0] = true;
            cable.run(450 * MILLI);
            cable.onlyReads[0] = false;
            cable.run(3000 * MILLI);

            assertThat(cable.toldAt(0, 1, HandshakeStatus.LOST))
                    .as("seed %d", seed)
                    .isPositive();
            assertThat(cable.heard)
                    .as("seed %d", seed)
                    .noneMatch(told -> told.end() == 0 && told.handshakeStatus() == HandshakeStatus.LOST);
            assertThat(cable.bothUp()).as("seed %d", seed).isTrue();
        }
    }

    @Test
    void shouldDropAHelloThatWasOvertaken() {
        cable.delayMin = 0;
        cable.delayMax = 190 * MILLI;

        cable.run(60_000 * MILLI);

        assertThat(cable.drops).contains(HelloDropReason.STALE).allMatch(drop -> drop == HelloDropReason.STALE);
        assertThat(cable.heard).as("delays below the slack never take it down").isEmpty();
    }

    @Test
    void shouldDropItsOwnHelloAndThoseOfAnotherFabric() {
        LinkHello own = hello(0xa0, 1, 7);
        LinkHello loop = hello(0xa0, 2, 7); // both ends of the cable are plugged into this switch
        LinkHello foreign = hello(0xa1, 2, 8);

        assertThat(cable.ends[0].receive(cable.now, own)).isEqualTo(HelloDropReason.OWN);
        assertThat(cable.ends[0].receive(cable.now, loop)).isEqualTo(HelloDropReason.OWN);
        assertThat(cable.ends[0].receive(cable.now, foreign)).isEqualTo(HelloDropReason.CLUSTER);
    }

    private static LinkHello hello(long guid, int port, int cluster) {
        LinkHello hello = new LinkHello();
        hello.cluster = cluster;
        hello.senderGuid = guid;
        hello.senderPort = port;
        hello.ownDiscriminator = 5;
        hello.multiplier = 3;
        return hello;
    }

    @Test
    void shouldBeSilentAndDeafWithoutCarrier() {
        cable.ends[0].stop();
        cable.sent.clear();

        cable.run(1000 * MILLI);

        assertThat(cable.sent).noneMatch(hello -> hello.end() == 0);
        assertThat(cable.drops).contains(HelloDropReason.STOPPED);
        assertThat(cable.ends[0].nextDeadline()).isEqualTo(Long.MAX_VALUE);
        assertThat(cable.ends[1].handshakeStatus()).isEqualTo(HandshakeStatus.LOST);
    }

    /**
     * Any phases, delays and intervals: never down without a fault, and a fault is found within the bound at both ends.
     */
    @ParameterizedTest
    @CsvSource({"10, 3", "20, 3", "100, 3", "100, 5", "300, 4", "1000, 3"})
    void shouldFindEveryCutWithinTheDetectionTimeAndNothingElse(long interval, int multiplier) {
        LinkRules rules = LinkRules.of(interval * MILLI, multiplier);
        for (int seed = 0; seed < SEEDS; seed++) {
            cable = new VirtualCable(seed, rules);
            cable.start(seed % 2);
            cable.run(seed * 7L * MILLI % Math.min(rules.detectionNanos(), rules.graceNanos()));
            cable.start(1 - seed % 2);
            cable.run(20 * rules.detectionNanos());
            assertThat(cable.heard).as("seed %d, quiet", seed).hasSize(2);
            long cut = cable.now;

            cable.blocked[0] = seed % 3 != 1;
            cable.blocked[1] = seed % 3 != 2;
            cable.run(rules.detectionNanos() + 3 * MILLI);

            for (int end = 0; end < 2; end++) {
                long after = cable.toldAt(cut, end, HandshakeStatus.LOST) - cut;
                assertThat(after)
                        .as("seed %d, end %d", seed, end)
                        .isBetween(rules.detectionNanos() - rules.transmitNanos(), rules.detectionNanos() + 2 * MILLI);
            }
        }
    }

    /** Whatever was lost before, both ends come up again, agree, and stay up, once the cable carries again. */
    @ParameterizedTest
    @CsvSource({"0.05, 3", "0.2, 3", "0.5, 3", "0.05, 5", "0.2, 5"})
    void shouldComeUpAgainAfterAnyLosses(double loss, int multiplier) {
        LinkRules rules = LinkRules.of(100 * MILLI, multiplier);
        for (int seed = 0; seed < SEEDS; seed++) {
            cable = new VirtualCable(seed, rules);
            cable.loss = loss;
            cable.delayMax = 20 * MILLI;
            cable.start(0);
            cable.start(1);
            cable.run(20_000 * MILLI);
            if (seed % 4 == 0) {
                cable.replace(seed % 2);
                cable.start(seed % 2);
                cable.run(2_000 * MILLI);
            }
            cable.loss = 0;

            cable.run(rules.graceNanos() + 2 * rules.detectionNanos());

            assertThat(cable.bothUp()).as("seed %d", seed).isTrue();
            cable.heard.clear();
            cable.run(20_000 * MILLI);
            assertThat(cable.heard).as("seed %d, quiet", seed).isEmpty();
        }
    }

    /** 5 % and 20 % of all hellos lost: how many must be missed in a row is what the multiplier is for. */
    @ParameterizedTest
    @CsvSource({"0.05, 8", "0.2, 20"})
    void shouldRideOutLossesThatTheMultiplierCovers(double loss, int multiplier) {
        for (int seed = 0; seed < SEEDS; seed++) {
            cable = new VirtualCable(seed, LinkRules.of(100 * MILLI, multiplier));
            cable.start(0);
            cable.start(1);
            cable.run(1000 * MILLI);
            cable.loss = loss;
            cable.heard.clear();

            cable.run(60_000 * MILLI);

            assertThat(cable.heard).as("seed %d", seed).isEmpty();
        }
    }

    @Test
    void shouldDoTheSameWithTheSameSeed() {
        for (int seed = 0; seed < 20; seed++) {
            assertThat(trace(seed)).isEqualTo(trace(seed));
        }
    }

    private static String trace(int seed) {
        VirtualCable played = new VirtualCable(seed, RULES);
        played.loss = 0.3;
        played.start(0);
        played.start(1);
        played.run(10_000 * MILLI);
        return played.sent + "" + played.heard + played.drops;
    }
}
