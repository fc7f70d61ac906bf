package io.dmodc.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A subnet of scripts, read by the commands that a manager's settings name. */
class PresentSubnetTest {
    @TempDir
    private Path directory = Path.of("");

    private Path fabric;
    private Path held;
    private Path page;
    private Path config;

    @BeforeEach
    void start() throws IOException {
        fabric = directory.resolve("fabric.txt");
        held = directory.resolve("held");
        page = directory.resolve("page.html");
        Ctl.run("topology", "generate", "--pgft", "2;4,6;1,3;1,1", "--shuffle-guids", 3, "--out", fabric);
        Ctl.run("route", "--topology", fabric, "--engine", "minhop", "--out", held);
        script("discover", "exec cat " + fabric);
        route("");
        config = Files.writeString(directory.resolve("fabric-manager.yaml"), """
                state-dir: /var/lib/fabric-manager
                southbound:
                  opensm:
                    discovery: DIR/discover
                    read-back: DIR/route {lid}
                    parallel: 3
                    command-timeout: 2s
                northbound: { listen: 127.0.0.1:1 }
                """.replace("DIR", directory.toString()));
    }

    private void script(String name, String body) throws IOException {
        Path script = Files.writeString(directory.resolve(name), "#!/bin/sh\n" + body + "\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** What ibroute would print, unless something is done first. */
    private void route(String first) throws IOException {
        script(
                "route",
                first + "exec awk -v head=\"switch Lid $1 guid\" '/^Unicast/ { on = index($0, head) } on' " + held);
    }

    private Ctl report(Object... words) {
        Object[] all = Stream.concat(Stream.of("report", "--out", page), Stream.of(words))
                .toArray();
        return Ctl.run(all);
    }

    private String page() throws IOException {
        return Files.readString(page);
    }

    private Set<String> files() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(Path::toString).collect(Collectors.toCollection(TreeSet::new));
        }
    }

    @Test
    void shouldSayTheSameAsOfFilesThatWereCollectedByHand() throws IOException {
        assertThat(report("--topology", fabric, "--lft", held).code()).isZero();
        String byHand = page();
        Set<String> before = files();

        Ctl ran = report("--opensm", config);

        assertThat(ran).isEqualTo(new Ctl(0, List.of(), List.of()));
        assertThat(page()).contains("Present tables are valid");
        assertThat(page().replace(directory + "/route {lid}", held.toString()).replace("discover", "fabric.txt"))
                .isEqualTo(byHand.replace("discover", "fabric.txt"));
        assertThat(files()).isEqualTo(before);
    }

    @Test
    void shouldTakeTablesOfAFileForThoseOfTheSwitches() throws IOException {
        script("route", "exit 1");

        assertThat(report("--opensm", config, "--lft", held).code()).isZero();

        assertThat(page()).contains("Present tables are valid");
    }

    @Test
    void shouldNameSwitchesThatDoNotAnswerAndReportOfTheOthers() throws IOException {
        route("[ $(($1 % 2)) = 0 ] && { echo 'no answer' >&2; exit 255; }\n");

        Ctl ran = report("--opensm", config);

        assertThat(ran.code()).isZero();
        assertThat(ran.err())
                .anySatisfy(line -> assertThat(line)
                        .matches("\\d of 9 switches do not say what they hold: .*exit code 255 \\(no answer\\).*"));
        assertThat(page()).contains("do not say what they hold").contains("live switches have no section");
    }

    @Test
    void shouldSayWhichEntryTheToolsDoNotPrint() throws IOException {
        Ctl.run("topology", "generate", "--pgft", "2;7,7;1,8;1,1", "--out", fabric);
        Ctl.run("route", "--topology", fabric, "--out", held);
        String printed = Files.readString(held);
        Files.writeString(held, printed.replaceAll("\\[0.*?]", "[0x0-0x40]").replaceAll("(?m)^0x0040 .*\n", ""));

        Ctl ran = report("--opensm", config);

        assertThat(ran.err())
                .singleElement()
                .asString()
                .startsWith("LID 64 counts as one without a route in 15 switches, whatever they hold: ");
        assertThat(page()).contains("LID 64 counts as one without a route");
    }

    @Test
    void shouldTellInOneLineWhatCannotBeRead() throws IOException {
        route("exit 3\n");
        assertFails("9 of 9 switches do not say what they hold: ");
        route("");
        script("discover", "echo no umad >&2; exit 1");
        assertFails("the fabric cannot be looked at: '" + directory + "/discover': exit code 1 (no umad)");
        Files.writeString(config, "southbound:\n  listen: 127.0.0.1:7470\n");
        assertFails(config + ":1: southbound.opensm: missing; expected a section with ");
        Files.writeString(config, "southbound:\n  opensm:\n    parallel: 0\n");
        assertFails(config + ":3: southbound.opensm.parallel: ");
        Files.writeString(config, "southbound: 3\n");
        assertFails(config + ":1: southbound.opensm: missing; expected a section with ");
        Files.writeString(config, "southbound:\n  opensm: null\n");
        assertFails(config + ":2: southbound.opensm: nothing is not a section with ");
    }

    private void assertFails(String message) throws IOException {
        Files.writeString(page, "old");

        Ctl ran = report("--opensm", config);

        assertThat(ran.code()).isEqualTo(2);
        assertThat(ran.err()).singleElement().asString().startsWith("fabricctl report: " + message);
        assertThat(page).hasContent("old");
    }

    @Test
    void shouldBeAFabricForOtherCommandsToo() throws IOException {
        Path live = directory.resolve("live.dump");
        Path byHand = directory.resolve("by-hand.dump");

        assertThat(Ctl.run("route", "--opensm", config, "--out", live).code()).isZero();

        assertThat(Ctl.run("route", "--topology", fabric, "--out", byHand).code())
                .isZero();
        assertThat(live).hasSameTextualContentAs(byHand);
    }

    @Test
    void shouldBeWhatAChangeLeadsTo() {
        Path damaged = directory.resolve("damaged");
        Ctl.run("topology", "degrade", "--topology", fabric, "--links", 2, "--out", damaged);
        Ctl byHand = Ctl.run("change", "--from", damaged, "--to", fabric);

        Ctl ran = Ctl.run("change", "--from", damaged, "--opensm", config);

        assertThat(byHand.text()).matches("transient-safe: .*[1-9]\\d* entries change");
        assertThat(ran.text()).isEqualTo(byHand.text());
        assertThat(ran.code()).isZero();
        assertThat(Ctl.run("change", "--from", damaged, "--to", fabric, "--opensm", config)
                        .code())
                .isEqualTo(2);
        assertThat(Ctl.run("change", "--from", damaged).code()).isEqualTo(2);
    }

    @Test
    void shouldBeCheckedAgainstItsDesign() {
        Ctl ran = Ctl.run("topology", "verify", "--opensm", config, "--design", "2;4,6;1,3;1,1");

        assertThat(ran.code()).isZero();
        assertThat(ran.text()).contains("as designed").contains(directory + "/discover");
        assertThat(Ctl.run("topology", "verify", "--opensm", config, "--design", "2;4,6;1,4;1,1")
                        .code())
                .isEqualTo(1);
        assertThat(Ctl.run("topology", "show", "--opensm", config).text().replace("discover", "fabric.txt"))
                .isEqualTo(Ctl.run("topology", "show", "--topology", fabric).text());
    }

    /** As ibnetdiscover does of a switch that does not answer: and it ends as if it had seen all. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "topology show",
                "topology verify",
                "topology degrade --out -",
                "route --out -",
                "quality",
                "report --out DIR",
                "export csv --out DIR",
                "change --from FABRIC"
            })
    void shouldSayOnceThatSomethingMayBeLacking(String command) throws IOException {
        script("discover", "echo lost leaf3 >&2; exec cat " + fabric);
        List<Object> words = new ArrayList<>(List.of(command.replace("DIR", page.toString())
                .replace("FABRIC", fabric.toString())
                .split(" ")));
        words.addAll(List.of("--opensm", config));

        Ctl ran = Ctl.run(words.toArray());

        assertThat(ran.err().stream().filter(line -> line.contains("lost leaf3")))
                .singleElement()
                .asString()
                .startsWith("what was found may lack something: ");
    }
}
