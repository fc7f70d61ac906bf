package io.dmodc.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code fabricctl diff}. */
class DiffCommandTest {
    private FakeManager manager;

    @BeforeEach
    void start() throws IOException {
        manager = new FakeManager();
    }

    @AfterEach
    void stop() {
        manager.close();
    }

    private static String diff(String switches, String more) {
        return """
                {"from":7,"to":9,"hosts":72,"pairs":5112,"pairsMoved":1204,"entries":3167,"switches":[%s],
                "onlyFrom":[{"guid":"0x0000000000000005","name":"l2s0"}],"onlyTo":[]%s}""".formatted(switches, more);
    }

    private static String changed(int number) {
        return "{\"guid\":\"0x%016x\",\"name\":\"leaf%d\",\"entries\":%d}".formatted(number, number, 9 + number);
    }

    @Test
    void shouldShowSwitchesEntriesAndPairs() {
        manager.says("diff?from=7&to=9", diff(changed(0) + "," + changed(1), ""));

        Ctl ran = manager.run("diff", 7, 9);

        assertThat(ran.code()).isZero();
        assertThat(ran.text()).isEqualTo("""
                epoch 7 → 9: 3,167 entries of 2 switches differ, 1,204 of 5,112 pairs of hosts moved
                forward in 7 only: l2s0

                SWITCH  GUID                ENTRIES
                leaf0   0x0000000000000000        9
                leaf1   0x0000000000000001       10""");
    }

    @Test
    void shouldSayHowManySwitchesAreNotShown() {
        String many = IntStream.range(0, 43).mapToObj(DiffCommandTest::changed).collect(Collectors.joining(","));
        manager.says("diff?from=7&to=9", diff(many, ""));

        Ctl ran = manager.run("diff", 7, 9);

        assertThat(ran.out()).hasSize(2 + 1 + 1 + 40 + 1).endsWith("and 3 more");
    }

    @Test
    void shouldListTheEntriesOfASwitch() {
        manager.says("diff?from=7&to=9&switch=leaf%200&limit=40", diff(changed(0), """
                ,"table":{"guid":"0x0000000000000001","name":"leaf 0","entries":[
                {"index":3,"node":"node3","before":17,"after":18},{"index":40,"node":"n","after":2}],"more":1200}"""));

        Ctl ran = manager.run("diff", 7, 9, "--switch", "leaf 0");

        assertThat(ran.text()).isEqualTo("""
                epoch 7 → 9: 3,167 entries of 1 switches differ, 1,204 of 5,112 pairs of hosts moved
                forward in 7 only: l2s0

                leaf 0  0x0000000000000001
                INDEX  NODE   BEFORE    AFTER
                    3  node3  17           18
                   40  n      no route      2
                and 1,200 more""");
    }

    @Test
    void shouldGiveTheWholeAnswerAsJson() {
        String answer = diff("", ",\"table\":{\"guid\":\"0x1\",\"name\":\"l\",\"entries\":[],\"more\":0}");
        manager.says("diff?from=7&to=9&switch=l", answer);

        assertThat(manager.run("diff", 7, 9, "--switch", "l", "--format", "json")
                        .text())
                .isEqualTo(answer);
        manager.says("diff?from=7&to=9&switch=l&limit=40", answer);
        assertThat(manager.run("diff", 7, 9, "--switch", "l").out()).contains("l  0x1: no entry differs");
    }

    @Test
    void shouldExitWithOneWhenAnEpochIsNotKept() {
        manager.says("diff?from=1&to=9", 404, FakeManager.problem(404, "tables of epoch 1 are not kept"));

        Ctl ran = manager.run("diff", 1, 9);

        assertThat(ran.code()).isEqualTo(1);
        assertThat(ran.err()).containsExactly("fabricctl diff: tables of epoch 1 are not kept");
        assertThat(manager.run("diff", "one", 9).code()).isEqualTo(2);
    }
}
