package io.dmodc.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.engines.Engines;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How the command line answers: help, version, and one line for whatever cannot be used. */
class MainTest {
    /** On Linux: takes nothing, as a full disk. */
    private static final File FULL = new File("/dev/full");

    @TempDir
    private Path directory = Path.of("");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "--help",
                "help",
                "topology --help",
                "topology generate --help",
                "topology degrade --help",
                "topology show --help",
                "topology verify --help",
                "route --help",
                "check --help",
                "what-if --help",
                "explain --help",
                "plan --help",
                "plan drain --help",
                "plan undrain --help",
                "plan engine --help",
                "plan rollback --help",
                "plan rebalance --help",
                "apply --help",
                "drains --help",
                "pause --help",
                "resume --help",
                "quality --help",
                "bench --help",
                "detector --help",
                "detector plan --help"
            })
    void shouldHelpEverywhere(String line) {
        Ctl ctl = Ctl.run((Object[]) line.split(" "));

        assertThat(ctl.code()).isZero();
        assertThat(ctl.text()).contains("Usage: fabricctl");
        assertThat(ctl.err()).isEmpty();
    }

    /** Which one is called must not show in what it says of itself. */
    @Test
    void shouldBeTheSameCommandAloneAndAmongAllOthers() {
        List<String> commands = Ctl.run("help").out().stream()
                .filter(line -> line.matches("  [a-z-]+ .*"))
                .map(line -> line.strip().split(" ", 2)[0])
                .toList();

        assertThat(commands).hasSizeGreaterThan(30).contains("topology", "status", "man");
        assertThat(commands).allSatisfy(command -> {
            Ctl alone = Ctl.run(command, "--help");

            assertThat(alone.out()).isEqualTo(Ctl.run("help", command).out());
            assertThat(alone.text()).contains("Usage: fabricctl " + command);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"route", "quality", "what-if", "explain"})
    void shouldNameEveryEngineInTheHelp(String command) {
        String help = Ctl.run(command, "--help").text().replaceAll("\\s+", " ");

        assertThat(help).contains("one of " + String.join(", ", Engines.names()) + " (default: dmodc)");
    }

    @Test
    void shouldTellItsVersion() {
        assertThat(Ctl.run("--version").out()).hasSize(1).allMatch(line -> line.matches("fabricctl \\d+\\.\\d+.*"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|fabricctl: expected a command (see 'fabricctl --help')",
                "topology|fabricctl topology: expected one of generate, degrade, show, verify",
                "detector|fabricctl detector: expected one of ",
                "plan|fabricctl plan: expected one of drain, undrain, engine, rollback, rebalance",
                "plan drain switch|Missing required parameter: 'NAME'",
                "plan drain host node0|'host', expected one of switch, leaf, link",
                "nonsense|fabricctl: unknown command 'nonsense'",
                "route|fabricctl route: Missing required argument (specify one of these)",
                "route --pgft 1;4;1;1 --topology f|are mutually exclusive",
                "route --pgft x|fabricctl route: 'x' is not a PGFT; expected h;m1",
                "route --pgft 1;4;1;1 --engine ospf|engine 'ospf' is unknown; expected one of dmodc",
                "route --pgft 1;4;1;1 --threads -1|--threads -1; expected 1..1024",
                "route --pgft 1;4;1;1 --threads many|Invalid value for option '--threads'",
                "route --pgft 1;4;1;1 --format lots|Invalid value for option '--format'",
                "route --pgft 1;4;1;1 --format opensm|'opensm', expected one of text, json; tables are written so with"
                        + " --as opensm",
                "statuss|fabricctl: unknown command 'statuss'; did you mean status?",
                "status --fromat json|unknown option '--fromat'; did you mean --format?",
                "quality --pgft 1;4;1;1 --patterns a2a,b2b|Invalid value for option '--patterns' (PATTERN): 'b2b', expected"
                        + " one of a2a, rp, sp, uniform, permutation, shift:K, bit-complement,",
                "quality --pgft 1;6;1;1 --patterns shuffle|pattern 'shuffle' of 6 nodes; expected a power of two",
                "quality --pgft 1;8;1;1 --patterns transpose|pattern 'transpose' of 8 nodes; expected a power of four",
                "quality --pgft 1;4;1;1 --offered 1.01|'1.01', expected a load above 0 and at most 1",
                "quality --pgft 1;4;1;1 --offered much|'much', expected a load above 0 and at most 1",
                "quality --pgft 1;4;1;1 --patterns SP --permutations 5|--permutations 5 beside --patterns without rp",
                "route --pgft 1;4;1;1 --fail-links 5|cannot take 5 cables between switches away: the fabric has 0",
                "route --pgft 1;4;1;1 --out /nowhere/f|/nowhere/f: cannot be written (no such directory)",
                "route --pgft 1;4;1;1 --node-map /|/: cannot be read (Is a directory); expected lines 'guid index'",
                "route --pgft 1;4;1;1 --levels /nowhere|/nowhere: cannot be read (no such file); expected lines 'guid level'",
                "route --pgft 1;4;1;1 --node-types /dev/zero|/dev/zero: more than 67108864 bytes; expected lines 'guid type'",
                "route --pgft 1;4;1;1 --engine updn --roots /nowhere|/nowhere: cannot be read (no such file); expected lines"
                        + " 'guid'",
                "route --topology /nowhere|/nowhere: cannot be read (no such file); expected a file of ibnetdiscover text",
                "route --topology /|/: cannot be read (Is a directory)",
                "topology show|fabricctl topology show: Missing required argument (specify one of these): (--topology=F |",
                "topology show --topology /nowhere|/nowhere: cannot be read",
                "topology generate --pgft 1;4;1;1|Missing required option: '--out=F'",
                "topology generate --pgft 2;128,2;1,127;1,1 --out -|at most 254 ports instead of 255 on level 1",
                "check --pgft 1;4;1;1 --lft /nowhere|/nowhere: cannot be read (no such file)",
                "check --pgft 1;4;1;1 --lft /dev/null|expected",
                "quality|fabricctl quality: Missing required argument (specify one of these)",
                "quality --pgft 1;4;1;1 --engine ospf|engine 'ospf' is unknown; expected one of dmodc",
                "quality --pgft 1;4;1;1 --engine dmodc --lft f|are mutually exclusive",
                "quality --pgft 1;4;1;1 --lft /nowhere|/nowhere: cannot be read (no such file)",
                "quality --pgft 1;4;1;1 --shifts -2|--shifts -2; expected 0..1000000",
                "quality --pgft 1;4;1;1 --shifts few|Invalid value for option '--shifts'",
                "quality --pgft 1;4;1;1 --permutations -1|--permutations -1; expected 0..1000000",
                "quality --pgft 1;4;1;1 --permutations 1000001|--permutations 1000001; expected 0..1000000",
                "simulate|fabricctl simulate: Missing required argument (specify one of these)",
                "simulate --pgft 1;4;1;1 --load 0|'0', expected a load above 0 and at most 1",
                "simulate --pgft 1;4;1;1 --load 0.5,0.9..0.1|'0.9..0.1', expected the lower load first",
                "simulate --pgft 1;4;1;1 --load 0.1..0.2..0.3|'0.1..0.2..0.3', expected a load, or two as 0.1..0.9",
                "simulate --pgft 1;4;1;1 --pattern tornado|pattern 'tornado' is unknown; expected one of uniform,",
                "simulate --pgft 1;1;1;1|pattern 'uniform' of 1 nodes; expected 2",
                "simulate --pgft 1;4;1;1 --seeds 0|--seeds 0; expected 1..1000",
                "simulate --pgft 1;4;1;1 --vcs 17|17 virtual channels; expected 1..16",
                "simulate --pgft 1;4;1;1 --buffers 0|0 buffers; expected 1..1024",
                "simulate --pgft 1;4;1;1 --cycles 0|0 measured cycles; expected 1..100000000",
                "quality --pgft 1;4;1;1 --threads 2000|--threads 2000; expected 1..1024"
            })
    void shouldSayInOneLineWhatCannotBeUsed(String line, String message) {
        Ctl ctl = Ctl.run((Object[]) (line.isEmpty() ? new String[0] : line.split(" ")));

        assertThat(ctl.code()).isEqualTo(2);
        assertThat(ctl.out()).isEmpty();
        assertThat(ctl.err()).hasSize(1);
        assertThat(ctl.err().get(0)).startsWith("fabricctl").contains(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "not a guid|nodes:1: 'not a guid'; expected 'guid number'",
                "0x1 5\\n0x2 5|node index 5 is taken by another GUID"
            })
    void shouldNameTheBadLineOfANodeMap(String text, String message) throws IOException {
        Path map = Files.writeString(directory.resolve("nodes"), text.replace("\\n", "\n"));

        Ctl ctl = Ctl.run("route", "--pgft", Ctl.FIGURE_1, "--node-map", map);

        assertThat(ctl.code()).isEqualTo(2);
        assertThat(ctl.err()).hasSize(1);
        assertThat(ctl.err().get(0)).contains(message);
    }

    @Test
    void shouldRefuseFilesThatAreNoTopologyAndNoTables() throws IOException {
        Path binary = Files.write(directory.resolve("binary"), new byte[] {'#', 1, 0, 7, '\n'});

        assertThat(Ctl.run("topology", "show", "--topology", binary).err())
                .containsExactly("fabricctl topology show: " + binary
                        + ":1: a zero byte; expected ibnetdiscover text, not a binary file");
        Ctl check = Ctl.run("check", "--pgft", Ctl.FIGURE_1, "--lft", binary);
        assertThat(check.code()).isEqualTo(2);
        assertThat(check.err()).hasSize(1);
    }

    /** A process of its own, which writes where somebody sends its standard output. */
    private Process generating(ProcessBuilder.Redirect output) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "topology",
                        "generate",
                        "--pgft",
                        "2;2,3;1,2;1,1",
                        "--out",
                        "-")
                .redirectOutput(output)
                .redirectError(directory.resolve("err").toFile())
                .start();
    }

    /** Half a fabric, or half a table, looks like a whole one to whoever loads it. */
    @Test
    @EnabledIf("hasFullDevice")
    void shouldFailWhereStandardOutputHasNoRoom() throws Exception {
        Process full = generating(ProcessBuilder.Redirect.to(FULL));

        assertThat(full.waitFor()).isEqualTo(2);
        assertThat(directory.resolve("err"))
                .hasContent("fabricctl: standard output: not written whole; expected room for all of it");
    }

    @Test
    void shouldSayNothingToWhoReadsNoFurther() throws Exception {
        Process unread = generating(ProcessBuilder.Redirect.PIPE);
        unread.getInputStream().close();

        assertThat(unread.waitFor()).isZero();
        assertThat(directory.resolve("err")).isEmptyFile();
    }

    static boolean hasFullDevice() {
        return FULL.exists();
    }
}
