package io.dmodc.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Changes planned from files, as an operator would before planned work. */
class ChangeCommandTest {
    private static final String SHAPE = "3;4,4,4;1,4,4;1,1,1";

    @TempDir
    private Path directory = Path.of("");

    private Path file(String name) {
        return directory.resolve(name);
    }

    @BeforeEach
    void write() {
        Ctl.run("topology", "generate", "--pgft", SHAPE, "--out", file("whole"));
        degrade("damaged", "--switches", 3, "--links", 5);
    }

    private void degrade(String name, Object... damage) {
        Object[] words = new Object[5 + damage.length + 1];
        Object[] head = {"topology", "degrade", "--topology", file("whole"), "--out"};
        System.arraycopy(head, 0, words, 0, head.length);
        words[head.length] = file(name);
        System.arraycopy(damage, 0, words, head.length + 1, damage.length);
        Ctl degraded = Ctl.run(words);
        assertThat(degraded.code()).as(String.join("\n", degraded.err())).isZero();
    }

    private Ctl change(String from, String to, Object... more) {
        Object[] words = new Object[5 + more.length];
        Object[] head = {"change", "--from", file(from), "--to", file(to)};
        System.arraycopy(head, 0, words, 0, head.length);
        System.arraycopy(more, 0, words, head.length, more.length);
        return Ctl.run(words);
    }

    @Test
    void shouldHaveNothingWaitWhenNothingChanges() throws IOException {
        Ctl change = change("whole", "whole", "--out", file("plan"));

        assertThat(change.code()).isZero();
        assertThat(change.text()).isEqualTo("transient-safe: any order; 0 entries change");
        assertThat(file("plan")).isEmptyFile();
    }

    @Test
    void shouldPlanAReturnInTwoRounds() throws IOException {
        Ctl change = change("damaged", "whole", "--out", file("plan"));

        assertThat(change.code()).as(String.join("\n", change.err())).isZero();
        assertThat(change.text())
                .matches(
                        "transient-safe: in 2 rounds: \\d+ entries of \\d+ switches wait for \\d+; \\d+ entries change");
        List<String> lines = Files.readAllLines(file("plan"));
        assertThat(lines).isNotEmpty().allMatch(line -> line.matches("later 2 0x[0-9a-f]{16}( \\d+)+"));
        long entries =
                lines.stream().mapToLong(line -> line.split(" ").length - 3).sum();
        assertThat(change.text()).contains("in 2 rounds: " + entries + " entries of " + lines.size() + " switches");
    }

    /** The tables are those that the engine makes, whoever reads them from where. */
    @Test
    void shouldPlanTheSameFromTablesInFiles() throws IOException {
        Ctl.run(
                "route",
                "--topology",
                file("damaged"),
                "--node-map",
                file("nodes"),
                "--plane-map",
                file("planes"),
                "--out",
                file("old"));
        Ctl.run(
                "route",
                "--topology",
                file("whole"),
                "--node-map",
                file("nodes"),
                "--plane-map",
                file("planes"),
                "--out",
                file("new"));
        Ctl made = change(
                "damaged", "whole", "--node-map", file("nodes"), "--plane-map", file("planes"), "--out", file("plan"));
        Ctl read = change(
                "damaged",
                "whole",
                "--node-map",
                file("nodes"),
                "--plane-map",
                file("planes"),
                "--from-lft",
                file("old"),
                "--to-lft",
                file("new"),
                "--out",
                file("again"));

        assertThat(read.text()).isEqualTo(made.text());
        assertThat(Files.readAllLines(file("again"))).isEqualTo(Files.readAllLines(file("plan")));
        assertThat(Files.readAllLines(file("planes")))
                .hasSize(32)
                .allMatch(line -> line.matches("0x[0-9a-f]{16} [0-9]+"));
    }

    /** A number that a plan rests on stays, also where the next command does not see the switch that has it. */
    @Test
    void shouldKeepTheNumbersOfSwitchesThatAreNewInTheSecondFabric() throws IOException {
        Ctl routed =
                Ctl.run("route", "--topology", file("damaged"), "--plane-map", file("planes"), "--out", file("old"));
        assertThat(routed.code()).isZero();
        List<String> before = Files.readAllLines(file("planes"));
        assertThat(before).hasSizeLessThan(32);

        change("damaged", "whole", "--plane-map", file("planes"), "--out", file("plan"));

        assertThat(Files.readAllLines(file("planes"))).hasSize(32).containsAll(before);
    }

    /** On standard output is the plan, and what is said of it beside. */
    @Test
    void shouldPrintThePlan() throws IOException {
        Ctl toFile = change("damaged", "whole", "--out", file("plan"));
        Ctl printed = change("damaged", "whole", "--out", "-");

        assertThat(printed.out()).isEqualTo(Files.readAllLines(file("plan")));
        assertThat(printed.err()).isEqualTo(toFile.out());
    }

    /** Shortest paths on a degraded fabric turn up after going down: no order of writes mends the tables themselves. */
    @Test
    void shouldWriteNoPlanThatIsNotProven() {
        degrade("worse", "--switches", 8, "--links", 20, "--seed", 7);
        Ctl.run("route", "--topology", file("worse"), "--engine", "minhop", "--out", file("minhop"));

        Ctl change = change("whole", "worse", "--to-lft", file("minhop"), "--out", file("plan"));

        assertThat(change.code()).as(change.text()).isEqualTo(1);
        assertThat(change.text()).startsWith("not provable: packets from ");
        assertThat(file("plan")).doesNotExist();
    }

    /** From the tables of one engine to those of another, on a small fabric of which much is lost. */
    private Ctl fromMinHop(int switches, int seed, Object... more) {
        Ctl.run("topology", "generate", "--pgft", "3;2,3,2;1,2,3;1,1,1", "--out", file("whole"));
        degrade("worse", "--switches", switches, "--links", 4, "--seed", seed);
        for (String engine : List.of("minhop", "dmodc")) {
            Ctl.run(
                    "route",
                    "--topology",
                    file("worse"),
                    "--engine",
                    engine,
                    "--node-map",
                    file("nodes"),
                    "--out",
                    file(engine));
        }
        List<Object> words = new ArrayList<>(
                List.of("--node-map", file("nodes"), "--from-lft", file("minhop"), "--to-lft", file("dmodc")));
        words.addAll(List.of(more));
        return change("worse", "worse", words.toArray());
    }

    @Test
    void shouldLetPacketsTurnWhereThatClosesNoCircle() {
        Ctl change = fromMinHop(1, 6, "--out", file("plan"));

        assertThat(change.code()).as(change.text()).isZero();
        assertThat(change.text())
                .contains("packets to 8 nodes may turn, and no circle of channels comes of it")
                .contains("with a drain");
    }

    /** What no order proves stands still, if that is allowed: hosts drop it first, and get it back last. */
    @Test
    void shouldQuiesceOnlyIfThatIsAllowed() throws IOException {
        Ctl refused = fromMinHop(1, 1, "--out", file("plan"));

        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.text()).startsWith("not provable: ").contains("channels wait for each other");
        assertThat(file("plan")).doesNotExist();

        Ctl quiesced = fromMinHop(1, 1, "--quiesce", "--out", file("plan"));

        assertThat(quiesced.code()).as(quiesced.text()).isZero();
        assertThat(quiesced.text())
                .startsWith("transient-safe: quiesced: ")
                .contains("packets to these nodes are lost meanwhile");
        List<String> lines = Files.readAllLines(file("plan"));
        assertThat(lines).anyMatch(line -> line.startsWith("drain 2"));
        assertThat(lines).anyMatch(line -> line.startsWith("drop 0x"));
        assertThat(lines).anyMatch(line -> line.startsWith("later 3 0x"));
    }

    @Test
    void shouldSayInOneLineWhatCannotBeRead() {
        Ctl missing = change("whole", "nowhere");
        Ctl engine = change("whole", "damaged", "--engine", "magic");
        Ctl tables = change("whole", "damaged", "--from-lft", file("whole"));

        assertThat(List.of(missing, engine, tables)).allSatisfy(run -> {
            assertThat(run.code()).isEqualTo(2);
            assertThat(run.err()).as(String.join("\n", run.err())).hasSize(1);
        });
    }
}
