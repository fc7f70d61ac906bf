package io.dmodc.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.routing.opensm.LftText;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.Guid;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.ibnet.IbnetWriter;
import io.dmodc.topology.ibnet.LidMap;
import io.dmodc.topology.pgft.Degradation;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The levels switches keep: of a fabric one of whose level-2 switches lost its four cables to the leaves. */
class DesignOptionTest {
    private static final String SHAPE = "3;4,4,4;1,4,4;1,1,1";
    private static final String OTHER_SHAPE = "2;4,16;1,4;1,1";

    /** First of level 2: by hops it is above the switches of level 3. */
    private static final long MIDDLE = 0x02f0_0000_0000_0010L;

    @TempDir
    private Path directory = Path.of("");

    private final FabricViewBuilder fabric = PgftGenerator.generate(PgftShape.parse(SHAPE));
    private GuidNumbers levels = new GuidNumbers();

    private Path cut() {
        return directory.resolve("cut");
    }

    @BeforeEach
    void cutTheLeavesOff() throws IOException {
        FabricView whole = fabric.build(0, new NodeIndexMap(), levels);
        levels = Inputs.levels(whole);
        for (Degradation.Cable cable : Degradation.cables(whole)) {
            if (cable.farGuid() == MIDDLE) {
                Degradation.cut(fabric, cable);
            }
        }
        StringBuilder text = new StringBuilder();
        IbnetWriter.write(fabric.build(0, new NodeIndexMap(), levels), new LidMap(), text);
        Files.writeString(cut(), text);
    }

    private static List<Integer> switchesByRank(Object... options) throws IOException {
        List<Object> words = new ArrayList<>(List.of("topology", "show", "--format", "json"));
        words.addAll(List.of(options));
        List<Integer> switches = new ArrayList<>();
        new ObjectMapper()
                .readTree(Ctl.run(words.toArray()).text())
                .get("levels")
                .forEach(level -> switches.add(level.get("switches").asInt()));
        return switches;
    }

    @Test
    void shouldKeepASwitchWithoutLeavesOnItsLevel() throws IOException {
        Path file = Files.writeString(directory.resolve("levels"), Guid.format(MIDDLE) + " 1\n");

        assertThat(switchesByRank("--topology", cut())).containsExactly(16, 15, 16, 1);
        assertThat(switchesByRank("--topology", cut(), "--design", SHAPE)).containsExactly(16, 16, 16);
        assertThat(switchesByRank("--topology", cut(), "--levels", file)).containsExactly(16, 16, 16);
    }

    /** The tables of a manager that knew the levels before the cables were lost. */
    @Test
    void shouldRouteAsIfTheLevelsHadBeenKnownBefore() throws IOException {
        FabricView view = fabric.build(0, new NodeIndexMap(), levels);
        StringBuilder expected = new StringBuilder();
        LftText.write(
                view,
                Objects.requireNonNull(
                        Dmodc.standard().route(view, Parallel.sequential()).tables()),
                expected);

        Ctl designed = Ctl.run("route", "--topology", cut(), "--design", SHAPE, "--as", "text", "--out", "-");
        Ctl byHops = Ctl.run("route", "--topology", cut(), "--as", "text", "--out", "-");

        assertThat(designed.out()).isEqualTo(expected.toString().lines().toList());
        assertThat(byHops.out()).isNotEqualTo(designed.out());
    }

    @Test
    void shouldSayWhatDiffersFromADesignThatFits() {
        Ctl ran = Ctl.run("route", "--topology", cut(), "--design", SHAPE);

        assertThat(ran.code()).isZero();
        assertThat(ran.err())
                .containsExactly(
                        "--design " + SHAPE + ": 4 differences, the first: a cable is missing between leaf0 (free"
                                + " port 5) and l2s0 (free ports 1, 2, 3, 4); 'fabricctl topology verify --design' names them");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "topology show --topology F",
                "route --topology F",
                "check --topology F --lft F",
                "quality --topology F",
                "simulate --topology F",
                "explain leaf0 0 --topology F",
                "change --from F --to F",
                "what-if --fail switch:leaf0 --topology F",
                "export csv --topology F",
                "report --topology F --out F.html",
                "bench --topology F"
            })
    void shouldRefuseADesignThatDoesNotFit(String command) {
        Object[] words = (command.replace("F", cut().toString()) + " --design " + OTHER_SHAPE).split(" ");

        Ctl ran = Ctl.run(words);

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.out()).isEmpty();
        assertThat(ran.err())
                .singleElement()
                .asString()
                .contains(
                        "--design " + OTHER_SHAPE
                                + " does not fit the fabric: 28 of 48 switches with cables have no place in it; 76 differences");
    }

    @Test
    void shouldRefuseADesignMostOfWhichIsNotThere() {
        Ctl ran = Ctl.run("route", "--topology", cut(), "--design", "3;4,4,9;1,4,16;1,1,1");

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err())
                .singleElement()
                .asString()
                .contains("does not fit the fabric: 88 of its 136 switches are missing");
    }

    @Test
    void shouldRemarkOnLevelsOfOtherSwitchesAndOnCablesThatContradict() throws IOException {
        Path file = Files.writeString(
                directory.resolve("levels"), "# kept\n0xdead 1\n0xbeef 0\n" + Guid.format(MIDDLE) + " 0\n");

        Ctl ran = Ctl.run("route", "--topology", cut(), "--levels", file);

        assertThat(ran.code()).isZero();
        assertThat(ran.err())
                .containsExactly(
                        file + ": no switch of the fabric has GUID 0x000000000000dead (and 1 more)",
                        file + ": 12 cables do not lead one level up or down, and no route uses them");
    }

    @Test
    void shouldNameTheLineOfALevelThatIsNone() throws IOException {
        Path file = Files.writeString(directory.resolve("levels"), Guid.format(MIDDLE) + " 1\nl2s1 1\n");

        assertThat(Ctl.run("route", "--topology", cut(), "--levels", file))
                .isEqualTo(new Ctl(
                        2, List.of(), List.of("fabricctl route: " + file + ":2: 'l2s1 1'; expected 'guid number'")));
    }

    @Test
    void shouldPreferTheLevelsOfTheFile() throws IOException {
        Path file = Files.writeString(directory.resolve("levels"), Guid.format(MIDDLE) + " 3\n");

        assertThat(switchesByRank("--topology", cut(), "--design", SHAPE, "--levels", file))
                .containsExactly(16, 15, 16, 1);
    }

    /** Of minhop's paths some go down to the switch that lost its leaves and up again: no group has these ports. */
    @Test
    void shouldWriteAdaptiveRoutingGroupsOfLegalPathsAlone() throws IOException {
        Path groups = directory.resolve("groups");

        Ctl dmodc = Ctl.run("route", "--topology", cut(), "--design", SHAPE, "--as", "ar-groups", "--out", groups);
        List<String> lines = Files.readAllLines(groups);
        Files.delete(groups);
        Ctl minHop = Ctl.run(
                "route",
                "--topology",
                cut(),
                "--design",
                SHAPE,
                "--engine",
                "minhop",
                "--as",
                "ar-groups",
                "--out",
                groups);

        assertThat(dmodc.code()).isZero();
        assertThat(lines).contains("group 1 ports 6 7 8").contains("group 1 ports 5 6 7 8");
        assertThat(minHop.code()).isEqualTo(2);
        assertThat(minHop.err()).hasSize(2);
        assertThat(minHop.err().get(1))
                .startsWith("fabricctl route: switch 0x02f0000000000010: node 0 leaves by port 5; expected one of []");
        assertThat(groups).doesNotExist();
    }

    /** A switch that only the later file has gets its level from the design, too. */
    @Test
    void shouldPlanAChangeBetweenFabricsOfTheSameDesign() {
        Path without = directory.resolve("without");
        Ctl.run("topology", "degrade", "--topology", cut(), "--switches", 1, "--seed", 2, "--out", without);

        Ctl ran = Ctl.run("change", "--from", without, "--to", cut(), "--design", SHAPE);

        assertThat(ran.code()).as(ran.text()).isZero();
        assertThat(ran.err()).hasSize(2).allMatch(line -> line.startsWith("--design " + SHAPE + ": "));
    }
}
