package io.dmodc.house;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.equivalentTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import io.dmodc.house.sample.low.Impure;
import io.dmodc.house.sample.low.Pure;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each kind of rule refuses a sample that breaks it and passes one that does not: rules that cannot fail guard nothing. */
class HouseRulesCanFailTest {

    private static final String LOW = "io.dmodc.house.sample.low..";
    private static final String HIGH = "io.dmodc.house.sample.high..";

    private static final JavaClasses SAMPLES = new ClassFileImporter().importPackages("io.dmodc.house.sample");

    @ParameterizedTest
    @ValueSource(
            classes = {
                Impure.ReadsClock.class,
                Impure.ReadsClockByReference.class,
                Impure.ReadsWallClock.class,
                Impure.DrawsWithoutSeed.class,
                Impure.Logs.class,
                Impure.Prints.class,
                Impure.OpensSocket.class,
                Impure.StartsThread.class,
                Impure.BorrowsCommonPool.class,
                Impure.SplitsStream.class
            })
    void shouldRefuseImpureCore(Class<?> impure) {
        assertBroken(HouseRules.staysPure(equivalentTo(impure)));
    }

    @Test
    void shouldPassCoreWhoseTimeChanceAndThreadsAreArguments() {
        assertKept(HouseRules.staysPure(equivalentTo(Pure.class)));
    }

    @Test
    void shouldRefuseRoomThatKnowsWhatStandsAbove() {
        assertBroken(HouseRules.knowsOnly(LOW, LOW));
        assertBroken(HouseRules.knowsNothingOf(LOW, HIGH));
        assertBroken(HouseRules.isKnownOnlyTo("io.dmodc.house..", HIGH, HIGH));
    }

    @Test
    void shouldPassRoomThatKnowsWhatItMay() {
        assertKept(HouseRules.knowsOnly(LOW, LOW, HIGH));
        assertKept(HouseRules.knowsNothingOf(LOW, "io.netty.."));
        assertKept(HouseRules.isKnownOnlyTo("io.dmodc.house..", HIGH, LOW));
    }

    @Test
    void shouldRefusePackagesThatKnowEachOther() {
        assertBroken(HouseRules.hasNoCycles("io.dmodc.house.sample"));
    }

    @Test
    void shouldRefuseRuleThatFindsNobodyToAsk() {
        assertThatCode(() -> HouseRules.knowsOnly("io.dmodc.house.nowhere..").evaluate(SAMPLES))
                .hasMessageContaining("failed to check any classes");
    }

    private void assertBroken(ArchRule rule) {
        assertThat(rule.evaluate(SAMPLES).hasViolation())
                .as(rule.getDescription())
                .isTrue();
    }

    private void assertKept(ArchRule rule) {
        assertThat(rule.evaluate(SAMPLES).getFailureReport().getDetails())
                .as(rule.getDescription())
                .isEmpty();
    }
}
