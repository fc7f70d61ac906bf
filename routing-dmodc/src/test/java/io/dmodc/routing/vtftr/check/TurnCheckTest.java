package io.dmodc.routing.vtftr.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.routing.vtftr.GridFabric;
import io.dmodc.routing.vtftr.SpareMode;
import io.dmodc.routing.vtftr.check.TurnCheck.Bursts;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The engine's tables pass; tables that leave one rule out fail where they should. */
class TurnCheckTest {
    private static TurnDump dump(int size, int faults, long seed, SpareMode mode) {
        return Dumps.of(GridFabric.square(size).killRandom(faults, new SplittableRandom(seed)), mode);
    }

    private static TurnCheckReport check(TurnDump dump, Bursts bursts) {
        return TurnCheck.check(dump, List.of(), bursts, true);
    }

    private static void assertHolds(String what, TurnCheckReport report) {
        assertThat(report.failed()).as("%s: %s", what, report.text()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(SpareMode.class)
    void shouldHoldForUpToTwentyKnownFaults(SpareMode mode) {
        for (int size : new int[] {8, 16}) {
            for (int faults : new int[] {0, 1, 5, 10, 15, 20}) {
                for (int seed = 0; seed < (size == 8 ? 10 : 1); seed++) {
                    TurnCheckReport report = check(dump(size, faults, seed, mode), Bursts.NONE);
                    assertHolds(size + " " + faults + " " + seed, report);
                    assertThat(report.declared() == 0 || faults >= size).isTrue();
                }
            }
        }
    }

    /** One leaf may die unannounced where up to n − 2 are known to be dead. */
    @ParameterizedTest
    @EnumSource(SpareMode.class)
    void shouldHoldWhileAnyOneLeafDiesUnannounced(SpareMode mode) {
        for (int faults = 0; faults <= 6; faults++) {
            assertHolds("8x8 with " + faults, check(dump(8, faults, faults, mode), Bursts.SINGLE));
        }
        TurnCheckReport report = check(dump(12, 10, 1, mode), Bursts.SINGLE);
        assertHolds("12x12 with 10", report);
        assertThat(report.burstCases()).isEqualTo(1 + 144 - 10);
    }

    @EnabledIfSystemProperty(named = "vtftr.large", matches = ".*")
    @ParameterizedTest
    @EnumSource(SpareMode.class)
    void shouldHoldAtEverySizeAndNumberOfFaults(SpareMode mode) {
        for (int size : new int[] {5, 8, 12, 16}) {
            for (int faults = 0; faults <= size - 2; faults++) {
                assertHolds(size + " with " + faults, check(dump(size, faults, faults, mode), Bursts.SINGLE));
            }
        }
        for (int faults : new int[] {0, 1, 10, 23}) {
            assertHolds("24x24 with " + faults, check(dump(24, faults, faults, mode), Bursts.NONE));
        }
    }

    /** While switches change from one table to the other, packets meet any mixture of both. */
    @ParameterizedTest
    @EnumSource(SpareMode.class)
    void shouldHaveNoCircleInAnyMixtureOfTablesBeforeAndAfterAFault(SpareMode mode) {
        for (int seed = 0; seed < 6; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            GridFabric fabric = GridFabric.square(seed == 0 ? 12 : 8).killRandom(seed, random);
            TurnDump before = Dumps.of(fabric, mode);
            TurnDump after = Dumps.of(fabric.killRandom(1, random), mode);
            TurnDump later = Dumps.of(fabric.killRandom(2, random), mode);
            TurnCheckReport report = TurnCheck.check(
                    before, List.of(after, later), seed == 1 || seed == 2 ? Bursts.SINGLE : Bursts.NONE, true);
            assertHolds("seed " + seed, report);
        }
    }

    /** 2n − 3 faults, wherever they are. */
    @Test
    void shouldLoseNothingWithTwentyNineFaultsAndPairwiseSpares() {
        for (int seed = 0; seed < 5; seed++) {
            TurnCheckReport report = check(dump(16, 29, seed, SpareMode.PAIRWISE), Bursts.NONE);

            assertHolds("seed " + seed, report);
            assertThat(report.declared()).isZero();
            assertThat(report.pairsByRoutings().keySet()).isSubsetOf(1, 2, 3);
        }
    }

    private static TurnDump mutant(GridFabric fabric, String pattern, String replacement, String... more) {
        String text = Dumps.text(fabric, SpareMode.PAPER);
        String mutant = text.replaceAll("(?m)" + pattern, replacement);
        assertThat(mutant).isNotEqualTo(text);
        return Dumps.read(mutant + String.join("\n", more));
    }

    @Test
    void shouldFindTheDeadlockWhenTheChannelIsNotChanged() {
        TurnDump mutant = mutant(GridFabric.square(4).without("02"), "^vc Y 0 X 1$", "vc Y 0 X 0");

        TurnCheckReport report = check(mutant, Bursts.NONE);

        assertThat(report.failed()).containsExactly(TurnProperty.DEADLOCK_FREE);
        assertThat(report.text()).anyMatch(line -> line.contains(" → "));
    }

    @Test
    void shouldFindWhatIsLostOrGoesRoundWithoutTheTransitRule() {
        GridFabric fabric = GridFabric.square(4);
        String tables = "^leaf (. .) (\\S+)$";
        String alike = "leaf $1 $2\nleafx $1 $2\nleafy $1 $2";

        TurnCheckReport lost = check(mutant(fabric, tables, alike), Bursts.SINGLE);
        TurnCheckReport round = check(mutant(fabric, tables, alike, "vc X 0 X 0", "vc Y 0 Y 0"), Bursts.SINGLE);

        assertThat(lost.failed()).contains(TurnProperty.REACH);
        assertThat(round.failed()).contains(TurnProperty.LOOP_FREE, TurnProperty.DEADLOCK_FREE);
    }

    @Test
    void shouldFindSparesThatAreNotMasked() {
        GridFabric fabric = GridFabric.square(4).without("02", "20", "21");
        String text = Dumps.text(fabric, SpareMode.PAPER);
        for (int c = 0; c < 4; c++) {
            String others = "0,1,2,3".replace("," + c, "").replace(c + ",", "");
            text = text.replaceAll("(?m)^(rsw . . .," + c + " .) .*$", "$1 " + others);
        }

        TurnCheckReport report = check(Dumps.read(text), Bursts.NONE);

        assertThat(report.failed()).contains(TurnProperty.HOPS, TurnProperty.STRICT);
    }

    @Test
    void shouldFindWhatIsLostWhenRootsNeverTurnBack() {
        TurnDump dump = Dumps.of(GridFabric.square(4).without("11", "22"), SpareMode.PAPER);

        TurnCheckReport without = TurnCheck.check(dump, List.of(), Bursts.SINGLE, true, false);

        assertHolds("with", check(dump, Bursts.SINGLE));
        assertThat(without.failed()).containsExactly(TurnProperty.REACH);
    }

    @Test
    void shouldFindPairsThatStillGoRowFirstOverADeadCorner() {
        TurnCheckReport report =
                check(mutant(GridFabric.square(4).without("02"), "^(leaf 0 0 ......)Y", "$1X"), Bursts.NONE);

        assertThat(report.failed()).containsExactly(TurnProperty.HOPS, TurnProperty.STRICT);
    }

    @Test
    void shouldFindPairsThatAreDeclaredLostAndAreNot() {
        TurnCheckReport report = check(mutant(GridFabric.square(4), "^(leaf 0 0 ....).", "$1-"), Bursts.NONE);

        assertThat(report.failed()).containsExactly(TurnProperty.HONEST, TurnProperty.STRICT);
        assertThat(report.declared()).isEqualTo(1);
    }

    @Test
    void shouldFindTwoChangesOfChannel() {
        List<String> lines = new ArrayList<>(List.of("vc Y 1 X 2", "vc X 2 Y 2"));
        TurnDump mutant = mutant(GridFabric.square(4).without("11"), "^vcs 2$", "vcs 3", lines.toArray(new String[0]));
        mutant.bursts.set(1);
        mutant.bursts.set(4 + 3);
        mutant.bursts.set(8 + 1);

        TurnCheckReport report = TurnCheck.check(mutant, List.of(), Bursts.SINGLE, false);

        assertThat(report.failed()).contains(TurnProperty.ONE_CHANGE);
    }

    /** A root that is called by its number has entries of its own. */
    @Test
    void shouldFollowEachRootByItsOwnEntries() {
        TurnDump mutant = mutant(GridFabric.square(4), "^(rsw 0) \\* (\\*,2) 2 (.*)$", "$0\n$1 1 $2 - -");

        TurnCheckReport report = check(mutant, Bursts.NONE);

        assertThat(report.failed()).containsExactly(TurnProperty.REACH, TurnProperty.STRICT);
    }

    @Test
    void shouldRefuseToMixGridsOfDifferentSizes() {
        TurnDump small = Dumps.of(GridFabric.square(3), SpareMode.PAPER);
        TurnDump large = Dumps.of(GridFabric.square(4), SpareMode.PAPER);

        assertThatThrownBy(() -> TurnCheck.check(small, List.of(large), Bursts.NONE, false))
                .hasMessage("a grid of 4x4 cannot be mixed with one of 3x3");
    }
}
