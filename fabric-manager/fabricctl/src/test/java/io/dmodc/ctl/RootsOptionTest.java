package io.dmodc.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Root switches named to every command that makes tables by any engine: a tree that lost a cable has no others for {@code ftree}. */
class RootsOptionTest {
    private static final String SHAPE = "3;2,2,3;1,2,2;1,2,1";

    private static final int TOPS = 4;

    @TempDir
    private Path directory = Path.of("");

    private Path fabric() {
        return directory.resolve("fabric");
    }

    private Path roots() {
        return directory.resolve("roots");
    }

    @BeforeEach
    void cutOneCable() throws IOException {
        Path whole = directory.resolve("whole");
        Ctl.run("topology", "generate", "--pgft", SHAPE, "--out", whole);
        Ctl.run("topology", "degrade", "--topology", whole, "--links", 1, "--out", fabric());
        Files.write(
                roots(),
                IntStream.range(0, TOPS)
                        .mapToObj(top -> String.format("0x%016x", 0x02f0_0000_0000_000cL + top))
                        .toList());
    }

    private Ctl run(String command, Object... more) {
        List<Object> words = new ArrayList<>();
        for (String word : command.split(" ")) {
            words.add(word.equals("F") ? fabric() : word);
        }
        words.addAll(List.of(more));
        return Ctl.run(words.toArray());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "route --topology F --engine ftree",
                "quality --topology F --engine ftree --permutations 1 --shifts 1",
                "simulate --topology F --engine ftree --load 0.1 --seeds 1",
                "what-if --topology F --engine ftree --fail switch:l3s0 --no-congestion",
                "explain leaf0 5 --topology F --engine ftree",
                "change --from F --to F --engine ftree"
            })
    void shouldSayThatRootsAreWantedAndTakeThem(String command) {
        Ctl without = run(command);
        Ctl with = run(command, "--roots", roots());

        assertThat(without.code()).isEqualTo(2);
        assertThat(without.out()).isEmpty();
        assertThat(without.err())
                .singleElement()
                .asString()
                .matches("fabricctl " + command.split(" ")[0]
                        + ": engine ftree needs --roots F, a file with the GUID of a root switch on each line: switch \\S+ has \\d"
                        + " .*, and \\S+ of the same level has \\d; a tree that is not regular needs its roots named");
        assertThat(with.err()).isEmpty();
        assertThat(with.code()).isZero();
    }
}
