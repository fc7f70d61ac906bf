package io.dmodc.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code fabricctl export} from a shape, a file and a manager. */
class ExportCommandTest {
    private static final String LEAF = """
            {"guid":"0x000000000000000%d","name":"%s","condition":"%s","rank":%d,"leaf":true,"ports":8}""";
    private static final String LINK = """
            {"a":{"guid":"0x0000000000000001","name":"leaf \\"A\\"","port":4},
             "b":{"guid":"0x0000000000000009","name":"spine","port":%d},"live":%s,"heldDown":false,"flaps":0}""";
    private static final String NODE = """
            {"index":%d,"guid":"0x00000000000000a%d","name":"node%d HCA-1","switchGuid":"0x0000000000000001",
             "switchName":"leaf","port":%d%s}""";

    @TempDir
    Path directory;

    private static final String ALL = "?limit=5000";

    private static FakeManager manager(String links) throws IOException {
        return new FakeManager()
                .says(
                        "switches" + ALL,
                        "{\"epoch\":7,\"switches\":[" + LEAF.formatted(1, "leaf \\\"A\\\"", "connected", 0) + ","
                                + LEAF.formatted(9, "spine", "headless", 1) + ","
                                + LEAF.formatted(8, "gone", "dead", 1) + "]}")
                .says("links" + ALL, links);
    }

    private static FakeManager prepared() throws IOException {
        String second = LINK.formatted(2, "false").replace("\"port\":4", "\"port\":5");
        return manager("{\"epoch\":7,\"links\":[" + LINK.formatted(1, "true") + "," + second + "]}");
    }

    private static FakeManager withNodes(FakeManager manager) {
        return manager.says(
                        "nodes" + ALL,
                        "{\"epoch\":7,\"nodes\":[" + NODE.formatted(1, 1, 1, 1, ",\"state\":\"up\"")
                                + "],\"next\":\"1 1\"}")
                .says(
                        "nodes" + ALL + "&after=1%201",
                        "{\"epoch\":7,\"nodes\":[" + NODE.formatted(0, 2, 2, 2, ",\"state\":\"down\"") + "]}");
    }

    @Test
    void shouldExportWhatTheManagerSees() throws IOException {
        try (FakeManager manager = withNodes(prepared())) {
            Ctl csv = manager.run("export", "csv");

            assertThat(csv.err()).isEmpty();
            assertThat(csv.out())
                    .containsExactly(
                            "a_guid,a_name,a_port,b_guid,b_name,b_port,type,state",
                            "0x0000000000000001,\"leaf \"\"A\"\"\",1,0x00000000000000a1,node1 HCA-1,1,switch-host,up",
                            "0x0000000000000001,\"leaf \"\"A\"\"\",2,0x00000000000000a2,node2 HCA-1,1,switch-host,down",
                            "0x0000000000000001,\"leaf \"\"A\"\"\",4,0x0000000000000009,spine,1,switch-switch,up");
            assertThat(manager.run("export", "slurm-topology").out()).contains("SwitchName=leaf_A_ Nodes=node[1-2]");
            assertThat(manager.run("export", "dot", "--hosts").text())
                    .contains("\"S-0000000000000001\" [label=\"leaf &quot;A&quot;\"")
                    .contains("[label=\"gone\", tooltip=\"0x0000000000000008\", style=dashed")
                    .contains("  \"S-0000000000000009\" -- \"S-0000000000000001\";")
                    .contains("\"S-0000000000000001\" -- \"H-00000000000000a2\" [style=dashed, color=red];");
            assertThat(manager.run("export", "graphml").text())
                    .contains("<data key=\"guid\">0x0000000000000008</data><data key=\"type\">switch</data>"
                            + "<data key=\"rank\">1</data><data key=\"state\">down</data>");
        }
    }

    @Test
    void shouldRefuseAFabricThatChangesWhileItIsRead() throws IOException {
        try (FakeManager manager = withNodes(manager("{\"epoch\":8,\"links\":[]}"))) {
            Ctl ran = manager.run("export", "csv");

            assertThat(ran.code()).isEqualTo(2);
            assertThat(ran.err())
                    .containsExactly("fabricctl export csv: " + manager.url()
                            + ": the fabric changed 5 times while it was read; try again");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "[]",
                "{\"epoch\":7,\"nodes\":[{\"guid\":5}]}",
                "{\"epoch\":7,\"nodes\":[{\"guid\":\"x\"}]}"
            })
    void shouldRefuseAnswersOfSomethingElse(String nodes) throws IOException {
        try (FakeManager manager = prepared()) {
            Ctl ran = manager.says("nodes" + ALL, nodes).run("export", "dot");

            assertThat(ran.code()).isEqualTo(2);
            assertThat(ran.out()).isEmpty();
            assertThat(ran.err()).singleElement().asString().contains("does not answer like a fabric manager: ");
        }
    }

    @Test
    void shouldWriteAFileAsTheReaderWantsIt() {
        Path file = directory.resolve("fabric.txt");

        Ctl ran = Ctl.run("export", "ibnetdiscover", "--pgft", Ctl.FIGURE_1, "--out", file);
        Ctl csv = Ctl.run("export", "csv", "--topology", file);

        assertThat(ran).isEqualTo(new Ctl(0, List.of(), List.of()));
        assertThat(csv.out())
                .isEqualTo(Ctl.run("export", "csv", "--pgft", Ctl.FIGURE_1).out())
                .hasSize(1 + 12 + 36);
    }

    @Test
    void shouldLeaveAnOldFileWhenItCannotWriteANewOne() throws IOException {
        Path hostless = Files.writeString(
                directory.resolve("hostless.txt"),
                "Switch 1 \"S-01\"\n[1] \"S-02\"[1]\n\nSwitch 1 \"S-02\"\n[1] \"S-01\"[1]\n");
        Path old = Files.writeString(directory.resolve("topology.conf"), "old");

        Ctl ran = Ctl.run("export", "slurm-topology", "--topology", hostless, "--out", old);

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).singleElement().asString().contains("no host has a name Slurm could know; expected");
        assertThat(old).hasContent("old");
    }

    @Test
    void shouldRefuseTwoSources() {
        assertThat(Ctl.run("export", "csv", "--pgft", Ctl.FIGURE_1, "--topology", "x")
                        .code())
                .isEqualTo(2);
        assertThat(Ctl.run("export", "csv", "--pgft", Ctl.FIGURE_1, "--manager", "http://127.0.0.1:1"))
                .isEqualTo(
                        new Ctl(
                                2,
                                List.of(),
                                List.of(
                                        "fabricctl export csv: expected only one of --topology, --pgft, --grid, --opensm and --manager")));
        assertThat(Ctl.run("export", "csv", "--design", Ctl.FIGURE_1).err())
                .containsExactly(
                        "fabricctl export csv: --design is for --topology, --pgft, --grid and --opensm; a running"
                                + " manager has its own");
        assertThat(Ctl.run("export").err().get(0))
                .startsWith("fabricctl export: expected one of slurm-topology, dot, graphml, csv, ibnetdiscover");
    }
}
