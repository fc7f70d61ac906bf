package io.dmodc.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.ctl.Main;
import io.dmodc.e2e.TrialFabric.Damage;
import io.dmodc.e2e.TrialFabric.TrialCable;
import io.dmodc.settings.cli.Program;
import io.dmodc.topology.FabricChange.ToSwitch;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Planned work as {@code docs/operations.md} tells it, word for word, with a manager and an agent for each switch in processes of
 * their own; and some of it with the manager killed in the middle.
 */
class PlannedWorkTest {
    private static final Path PAGE = Path.of("../../docs/operations.md");
    private static final String PGFT = "2;2,3;1,2;1,1";
    private static final Pattern PLAN = Pattern.compile("\\b[0-9a-f]{8}\\b");

    @TempDir
    private static Path directory = Path.of("");

    private static @Nullable ProcessSite running;

    /** As the manager named it last, and the epoch it was for. */
    private String plan = "";

    private String epoch = "";

    /** Each test leaves it as it was. */
    @BeforeAll
    static void start() throws Exception {
        ProcessSite site = new ProcessSite(directory, PGFT);
        running = site;
        site.startManager();
        site.fabric().guids().forEach(site::startAgent);
        site.awaitFirstTables();
    }

    @AfterAll
    static void stop() throws IOException {
        if (running != null) {
            running.close();
        }
    }

    private final ProcessSite site = Objects.requireNonNull(running);

    /** A command, and what it said. */
    private record Said(int code, List<String> lines) {}

    private Said run(String command) throws Exception {
        List<String> words = new ArrayList<>();
        String now = PLAN.matcher(command).replaceAll(plan).replaceAll("rollback \\d+", "rollback " + epoch);
        Matcher word = Pattern.compile("\"([^\"]*)\"|(\\S+)").matcher(now);
        while (word.find()) {
            words.add(word.group(1) == null ? word.group(2) : word.group(1));
        }
        assertThat(words.get(0)).isEqualTo("fabricctl");
        words.remove(0);
        words.add("--manager=" + site.administrators());
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);
        int code = Program.run(new Main(), List.of(), out, out, words.toArray(String[]::new));
        List<String> lines = text.toString().lines().toList();
        if (!lines.isEmpty() && lines.get(0).startsWith("plan ")) {
            plan = lines.get(0).split(" ", -1)[1];
            epoch = lines.get(0).replaceAll("plan \\w+ for epoch (\\d+):.*", "$1");
        }
        return new Said(code, lines);
    }

    /** Without what is another each time. */
    private static String masked(String line) {
        return PLAN.matcher(line.strip())
                .replaceAll("PLAN")
                .replaceAll("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z", "TIME")
                .replaceAll("epoch \\d+", "epoch N")
                .replaceAll("[0-9.]+ (µs|ms|s|min)\\b", "T")
                .replaceAll("\\s+", " ");
    }

    /** Lines of the blocks under the heading, commands and comments among them. */
    private static List<String> page() throws IOException {
        List<String> lines = new ArrayList<>();
        boolean section = false;
        boolean block = false;
        for (String line : Files.readAllLines(PAGE)) {
            section = line.startsWith("## ") ? line.equals("## Planned work") : section;
            if (section && line.startsWith("```")) {
                block = line.equals("```console");
            } else if (section && block) {
                lines.add(line);
            }
        }
        return lines;
    }

    @Test
    void shouldSayAndDoWhatThePageSays() throws Exception {
        List<String> page = page();
        List<String> differences = new ArrayList<>();
        int commands = 0;
        for (int i = 0; i < page.size(); ) {
            String line = page.get(i++);
            if (line.startsWith("# ")) {
                happens(line.substring(2));
                continue;
            }
            assertThat(line).startsWith("$ ");
            commands++;
            Said said = run(line.substring(2));
            List<String> expected = new ArrayList<>();
            while (i < page.size()
                    && !page.get(i).startsWith("$ ")
                    && !page.get(i).startsWith("# ")) {
                expected.add(page.get(i++));
            }
            if (!fits(expected, said.lines)) {
                differences.add(line + "\n" + String.join("\n", said.lines) + "\n(exit code " + said.code + ")");
            }
        }
        assertThat(differences).isEmpty();
        assertThat(commands).isGreaterThan(12);
    }

    /** An ellipsis stands for any lines. */
    private static boolean fits(List<String> expected, List<String> said) {
        int at = 0;
        boolean any = false;
        for (String line : expected) {
            if (line.strip().equals("…")) {
                any = true;
                continue;
            }
            while (any && at < said.size() && !masked(said.get(at)).equals(masked(line))) {
                at++;
            }
            if (at == said.size() || !masked(said.get(at)).equals(masked(line))) {
                return false;
            }
            at++;
            any = false;
        }
        return any || at == said.size();
    }

    private void happens(String comment) throws Exception {
        switch (comment) {
            case "the cable between leaf0 and l2s0 breaks" -> {
                site.fabric().plug(Set.of(cable()));
                ProcessSite.await("the tables that wait").until(() -> status("/outstanding") == 4);
            }
            case "the cable between leaf0 and l2s0 is taken out" -> {
                site.fabric().plug(Set.of(cable()));
                ProcessSite.await("tables without it").until(() -> status("/links/down") == 1 && site.calm());
            }
            case "it is plugged in again" -> {
                site.fabric().plug(Set.of());
                assertThat(site.awaitRest(Damage.NONE)).isEmpty();
            }
            default -> throw new AssertionError("nothing is known of: " + comment);
        }
    }

    private int status(String pointer) {
        var status = site.status();
        return status == null ? -1 : status.at(pointer).asInt();
    }

    private TrialCable cable() {
        return site.fabric().cables().stream()
                .filter(cable -> !cable.toHost() && end(cable.guid()).equals("leaf0"))
                .filter(cable ->
                        cable.far() instanceof ToSwitch to && end(to.guid()).equals("l2s0"))
                .findFirst()
                .orElseThrow();
    }

    private String end(long guid) {
        return site.fabric().name(guid);
    }

    /** What was asked for survives: the drained spine stays drained, the pause stays a pause, and both can be ended. */
    @Test
    void shouldKeepADrainAndAPauseOverAKilledManager() throws Exception {
        run("fabricctl plan drain switch l2s1");
        assertThat(run("fabricctl apply 00000000 --why fan").lines()).contains("l2s1 drained: safe to unplug");
        run("fabricctl pause --why move");
        int pushes = site.tap().pushCount();

        site.killManager();
        site.fabric().plug(Set.of(cable()));
        site.startManager();
        ProcessSite.await("all agents again")
                .until(() -> status("/agents/connected") == 5 && status("/links/down") == 1);

        assertThat(run("fabricctl drains").lines()).anyMatch(line -> line.startsWith("l2s1 "));
        assertThat(run("fabricctl status").lines()).anyMatch(line -> line.startsWith("paused "));
        assertThat(site.tap().pushCount()).isEqualTo(pushes);
        site.fabric().plug(Set.of());
        assertThat(run("fabricctl resume").code()).isZero();
        ProcessSite.await("all cables").until(() -> status("/links/down") == 0 && site.calm());
        // The cable's epoch may come after the plan, which is refused then, and shown anew.
        ProcessSite.await("an undrain")
                .until(() -> run("fabricctl plan undrain switch l2s1").code() == 0
                        && run("fabricctl apply 00000000").code() == 0);
        assertThat(site.awaitRest(Damage.NONE)).isEmpty();
    }
}
