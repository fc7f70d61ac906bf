package io.dmodc.agent.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.dmodc.agent.plane.Destination;
import io.dmodc.agent.plane.Destinations;
import io.dmodc.agent.plane.InstallProgress;
import io.dmodc.agent.plane.InstalledTable;
import io.dmodc.agent.plane.MemoryPlane;
import io.dmodc.agent.plane.Neighbour.HostPort;
import io.dmodc.agent.plane.Neighbour.SwitchPort;
import io.dmodc.agent.plane.PlaneException;
import io.dmodc.agent.plane.PlaneListener;
import io.dmodc.agent.plane.PortState;
import io.dmodc.agent.plane.TableChange;
import io.dmodc.southbound.Alternatives;
import io.dmodc.southbound.TableVersion;
import io.dmodc.topology.HostAddresses;
import io.dmodc.topology.LinkRate;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The plane with real programs: the one that is shipped, and some that nobody should ship. */
@Timeout(120)
class ExecPlaneTest {
    private static final Path EXAMPLE = Path.of("../../conf/examples/exec-plane-directory");
    private static final String HELLO = "read line; echo '{\"did\":\"hello\"}'; ";
    private static final String EMPTY = "read line; echo '{\"did\":\"read\",\"id\":1,\"entries\":0}'; ";
    private static final int LONG = 0;

    /** No test waits so long, except one that fails. */
    private static final int PATIENCE_SECONDS = 60;

    @TempDir
    Path dir;

    private final List<ExecPlane> planes = new ArrayList<>();
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

    @AfterEach
    void close() {
        planes.forEach(ExecPlane::close);
    }

    private ExecPlane plane(boolean tellsPorts, int timeoutMillis, String... command) {
        Duration timeout = timeoutMillis == LONG ? Duration.ofMinutes(1) : Duration.ofMillis(timeoutMillis);
        ExecPlane plane = new ExecPlane(
                new MemoryPlane(0x10, "leaf0", 4), new ExecSettings(List.of(command), timeout, tellsPorts, true));
        planes.add(plane);
        plane.listen(new PlaneListener() {
            @Override
            public void portChanged(int number) {
                heard.add("port " + number);
            }

            @Override
            public void tableLost() {
                heard.add("lost");
            }
        });
        plane.start();
        return plane;
    }

    private ExecPlane shell(int timeoutMillis, String script) {
        return plane(false, timeoutMillis, "sh", "-c", script);
    }

    /** @return the example on the directory {@code table} */
    private ExecPlane example(boolean tellsPorts) {
        boolean python = Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(place -> Files.isExecutable(Path.of(place, "python3")));
        assumeTrue(python, "Python is not on this machine; to have it: apt-get install python3");
        return plane(tellsPorts, LONG, "python3", EXAMPLE.toString(), table().toString());
    }

    private Path table() {
        return dir.resolve("table");
    }

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    private static String failure(CompletionStage<?> stage) throws Exception {
        try {
            return "none, but " + get(stage);
        } catch (ExecutionException e) {
            assertThat(e.getCause()).isInstanceOf(PlaneException.class);
            return String.valueOf(Objects.requireNonNull(e.getCause()).getMessage());
        }
    }

    private @Nullable String nextHeard() throws InterruptedException {
        return heard.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    private static TableChange change(InstalledTable before, TableVersion version, byte[] entries) {
        BitSet changed = new BitSet();
        for (int index = 0; index < Math.max(entries.length, before.entries().length); index++) {
            changed.set(index, at(before.entries(), index) != at(entries, index));
        }
        Destinations destinations = Destinations.of(
                entries.length,
                index -> new Destination(0xa00 + index, "node" + index, HostAddresses.ofLid(1 + index % 1000)));
        return new TableChange(before, new InstalledTable(version, entries), changed, destinations, Alternatives.NONE);
    }

    private static int at(byte[] entries, int index) {
        return index < entries.length ? Byte.toUnsignedInt(entries[index]) : 255;
    }

    private static TableChange fresh(int entries) {
        byte[] table = new byte[entries];
        Arrays.fill(table, (byte) 1);
        return change(InstalledTable.NONE, new TableVersion(1, 1), table);
    }

    private static void install(ExecPlane plane, TableChange change) throws Exception {
        get(plane.install(change, (done, total) -> {}));
    }

    private static void assertHolds(ExecPlane plane, InstalledTable table) throws Exception {
        InstalledTable read = get(plane.readBack());
        assertThat(read.version()).isEqualTo(table.version());
        assertThat(read.entries()).isEqualTo(table.entries());
    }

    @Test
    void shouldKeepTablesInTheDirectoryAndReadThemBackAfterARestart() throws Exception {
        ExecPlane plane = example(false);
        assertThat(get(plane.readBack()).entries()).isEmpty();
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        InstalledTable before = InstalledTable.NONE;
        for (int epoch = 1; epoch <= 20; epoch++) {
            byte[] entries = new byte[random.nextInt(200)];
            for (int index = 0; index < entries.length; index++) {
                entries[index] = (byte) (random.nextInt(3) == 0 ? 255 : 1 + random.nextInt(4));
            }
            TableChange change = change(before, new TableVersion(3, epoch), entries);
            install(plane, change);
            before = change.table();
            assertHolds(plane, before);
        }
        plane.close();

        assertHolds(example(false), before);
    }

    @Test
    void shouldWriteWhereEachIndexLeads() throws Exception {
        ExecPlane plane = example(false);
        get(plane.readBack());

        install(plane, fresh(2));

        assertThat(Files.readAllLines(table().resolve("table")))
                .containsExactly(
                        "{\"leader\": 1, \"epoch\": 1, \"entries\": 2}",
                        "{\"index\": 0, \"port\": 1, \"guid\": \"0x0000000000000a00\", \"name\": \"node0\", \"lid\": 1}",
                        "{\"index\": 1, \"port\": 1, \"guid\": \"0x0000000000000a01\", \"name\": \"node1\", \"lid\": 2}");
    }

    @Test
    void shouldTellHowALargeTableGoesOn() throws Exception {
        ExecPlane plane = example(false);
        get(plane.readBack());
        ConcurrentLinkedQueue<Integer> done = new ConcurrentLinkedQueue<>();
        InstallProgress progress = (written, total) -> {
            assertThat(total).isEqualTo(60_000);
            done.add(written);
        };
        TableChange change = fresh(60_000);

        get(plane.install(change, progress));

        assertThat(done).containsExactly(0, 10_000, 20_000, 30_000, 40_000, 50_000);
        assertHolds(plane, change.table());
    }

    @Test
    void shouldFollowThePortsThatTheProgramTells() throws Exception {
        Files.createDirectories(table());
        ports(
                "{\"port\": 1, \"up\": true, \"switch\": \"0x20\", \"far\": 3, \"megabits\": 100000}",
                "{\"port\": 2, \"up\": true, \"host\": \"0xa0\", \"name\": \"node0\", \"ipv4\": \"10.0.0.7\"}");
        ExecPlane plane = example(true);
        get(plane.readBack());
        HostPort host = new HostPort(0xa0, 0xa0, 1, "node0", HostAddresses.parse(0, "10.0.0.7", null, null));
        assertThat(plane.ports())
                .containsExactly(
                        new PortState(1, true, new SwitchPort(0x20, 3), new LinkRate(100_000, 0)),
                        new PortState(2, true, host),
                        PortState.unplugged(3),
                        PortState.unplugged(4));
        assertThat(nextHeard()).isEqualTo("port 1");
        assertThat(nextHeard()).isEqualTo("port 2");

        ports("{\"port\": 2, \"up\": true, \"host\": \"0xa0\", \"name\": \"node0\", \"ipv4\": \"10.0.0.7\"}");

        assertThat(nextHeard()).isEqualTo("port 1");
        assertThat(plane.portState(1)).isEqualTo(new PortState(1, false, new SwitchPort(0x20, 3)));
        assertThat(plane.portState(2).up()).isTrue();
    }

    private void ports(String... lines) throws IOException {
        Path written = Files.write(dir.resolve("ports"), List.of(lines));
        Files.move(written, table().resolve("ports"), StandardCopyOption.ATOMIC_MOVE);
    }

    @Test
    void shouldStartAKilledProgramAgainAndHaveItsTableReadBeforeTheNext() throws Exception {
        ExecPlane plane = example(false);
        get(plane.readBack());
        install(plane, fresh(5));

        ProcessHandle program = ProcessHandle.current()
                .descendants()
                .filter(child -> child.info().arguments().stream()
                        .flatMap(Arrays::stream)
                        .anyMatch(table().toString()::equals))
                .findFirst()
                .orElseThrow();
        program.destroyForcibly();

        assertThat(nextHeard()).isEqualTo("lost");
        assertThat(failure(plane.install(fresh(6), (done, total) -> {})))
                .isEqualTo("the program was started again, and its table was not read yet");
        assertHolds(plane, fresh(5).table());
        install(plane, fresh(6));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        cat >/dev/null                                                      | the program: it said nothing for 300 ms
        exec >&-; cat >/dev/null                                            | the program: it closed its output
        exit 3                                                              | the program: it ended with exit code 3
        kill -9 $$                                                          | the program: it ended with exit code 137
        echo foo; cat >/dev/null                                            | the program: it said 'foo', which is no JSON object
        cat /dev/zero                                                       | the program: it said a line of more than 65536 bytes
        read line; echo '{"did":"read","id":1}'; cat                         | the program: it said Read[id=1, version=0/0, entries=-1] before hello
        """)
    void shouldEndAProgramThatDoesNotGreet(String script, String why) throws Exception {
        assertThat(failure(shell(300, script).readBack())).isEqualTo(why);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        cat >/dev/null                                                      | the program: it said nothing for 300 ms
        exec sleep 1000                                                     | the program: it said nothing for 300 ms
        exec <&-; sleep 1000                                                | the program: it closed its input
        read line; exit 3                                                   | the program: it ended with exit code 3
        head -n 50 >/dev/null; echo '{"failed":2,"why":"no room"}'; cat >/dev/null | no room
        read line; echo '{"did":"install","id":1}'; cat >/dev/null                     | the program: it said Installed[id=1]; expected id 2
        head -n 50 >/dev/null; echo '{"did":"install","id":2}'; sleep 1000  | the program: it said that it has a table which was not told to its end
        head -n 50 >/dev/null; echo '{"index":3,"port":1}'; cat >/dev/null  | the program: it said Entry[index=3, port=1], which answers nothing
        read line; while :; do echo '{"progress":1,"of":2,"id":2}'; done               | the program: it said nothing for 300 ms
        read line; while :; do echo '{"lost":true}'; done                              | the program: it said nothing for 300 ms
        read line; while :; do echo '{"port":1,"up":true}'; done                       | the program: it said nothing for 300 ms
        sh -c 'trap "" TERM; sleep 1000'                                    | the program: it said nothing for 300 ms
        """)
    void shouldEndTheInstallationWhateverTheProgramDoes(String script, String why) throws Exception {
        // Twenty times what a pipe takes.
        TableChange large = fresh(20_000);
        ExecPlane plane = shell(
                300,
                "if [ -e '" + dir.resolve("second") + "' ]; then exec cat >/dev/null; fi; touch '"
                        + dir.resolve("second") + "'; " + HELLO + EMPTY + script);
        get(plane.readBack());

        assertThat(failure(plane.install(large, (done, total) -> {}))).isEqualTo(why);
    }

    @Test
    void shouldNotWaitForAChildThatKeepsTheStreamsOpen() throws Exception {
        Path children = dir.resolve("children");
        ExecPlane plane = shell(
                LONG,
                "sleep 1000 & echo $! >>'" + children + "'; " + HELLO + "read line; echo '{\"did\":\"read\",\"id\":1}';"
                        + "read line; echo '{\"did\":\"read\",\"id\":2}'; read line; exit 0");
        get(plane.readBack());
        get(plane.readBack());

        assertThat(failure(plane.readBack())).isEqualTo("the program: it ended with exit code 0");
        assertThat(nextHeard()).isEqualTo("lost");

        long child = Long.parseLong(Files.readAllLines(children).get(0));
        ProcessHandle.of(child)
                .ifPresent(handle -> handle.onExit()
                        .orTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS)
                        .join());
        assertThat(Files.readAllLines(children)).hasSizeGreaterThanOrEqualTo(2);
    }

    @Test
    void shouldGiveAProgramTheTimeItTakesWhileItGoesOn() throws Exception {
        ExecPlane plane = shell(
                2000,
                HELLO + EMPTY + "while read line; do case $line in *commit*) break;; esac; done;"
                        + "for i in 1 2 3 4 5 6; do sleep 0.5; echo '{\"progress\":'$i',\"of\":6,\"id\":2}'; done;"
                        + "echo '{\"did\":\"install\",\"id\":2}'; cat >/dev/null");
        get(plane.readBack());

        install(plane, fresh(3));
    }

    @Test
    void shouldRefuseATableThatTheProgramHasNoRoomFor() throws Exception {
        ExecPlane plane =
                shell(LONG, "read line; echo '{\"did\":\"hello\",\"entries\":10}'; " + EMPTY + " cat >/dev/null");
        get(plane.readBack());

        assertThat(failure(plane.install(fresh(11), (done, total) -> {})))
                .isEqualTo("table of 11 entries, the program takes 10");
    }

    @Test
    void shouldSayWhyAProgramCannotBeStarted() throws Exception {
        ExecPlane plane = plane(false, LONG, dir.resolve("none").toString());

        assertThat(failure(plane.readBack()))
                .startsWith("the program: it cannot be started: ")
                .contains("No such file");
        assertThat(failure(plane.install(fresh(1), (done, total) -> {}))).isEqualTo("the program is not running");
    }

    @Test
    void shouldEndTheInputOfTheProgramWhenTheAgentEnds() throws Exception {
        Path said = dir.resolve("said");
        ExecPlane plane = shell(LONG, HELLO + EMPTY + "cat >/dev/null; echo over >'" + said + "'");
        get(plane.readBack());

        plane.close();

        assertThat(said).hasContent("over");
        assertThat(failure(plane.readBack())).isEqualTo("the agent ends");
    }

    @Test
    void shouldNotWaitForAProgramThatDoesNotEnd() throws Exception {
        ExecPlane plane = shell(LONG, "trap '' TERM; " + HELLO + EMPTY + "while :; do sleep 1000; done");
        get(plane.readBack());
        CompletionStage<Void> installation = plane.install(fresh(1), (done, total) -> {});

        plane.close();

        assertThat(failure(installation)).isEqualTo("the program: it is ended with the agent");
    }
}
