package io.dmodc.demo.ibsim;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** A real opensm on ibsim loads what the bridge writes, through faults; skipped where Debian's packages are missing. */
class IbsimDemoTest {
    @TempDir
    private Path directory = Path.of("");

    /** The fabric of the paper's first figure, of three levels. */
    @Test
    void shouldHealThroughOpenSm() throws IOException, InterruptedException, IbsimFailure {
        play("3;2,2,3;1,2,2;1,2,1");
    }

    /** The demonstration's own, of two levels: nothing in it is done otherwise. */
    @Test
    @EnabledIfSystemProperty(named = "trials", matches = "|true")
    void shouldHealItsOwnFabricThroughOpenSm() throws IOException, InterruptedException, IbsimFailure {
        play(IbsimDemo.DEFAULT_PGFT);
    }

    private void play(String pgft) throws IOException, InterruptedException, IbsimFailure {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(printed, true, StandardCharsets.UTF_8)) {
            new IbsimDemo(
                            PgftGenerator.generate(PgftShape.parse(pgft))
                                    .build(0, new NodeIndexMap(), new GuidNumbers()),
                            pgft,
                            directory,
                            false,
                            out)
                    .run();
        } catch (IbsimFailure e) {
            Assumptions.assumeFalse(String.valueOf(e.getMessage()).startsWith("the program "), e.getMessage());
            throw new IbsimFailure(e.getMessage() + "\n" + printed.toString(StandardCharsets.UTF_8));
        }

        assertThat(printed.toString(StandardCharsets.UTF_8))
                .contains("All checks held")
                .containsPattern(
                        "a cable is cut.*\\R *noticed .*computed .*written .*OpenSM done .*read back .*blocks rewritten")
                .containsPattern("OpenSM is killed and started again\\R *(no table had to change|noticed)");
    }
}
