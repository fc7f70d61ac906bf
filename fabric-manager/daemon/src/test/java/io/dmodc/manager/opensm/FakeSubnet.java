package io.dmodc.manager.opensm;

import io.dmodc.manager.config.DrainTime;
import io.dmodc.manager.config.ManagerConfig;
import io.dmodc.manager.config.ManagerConfig.Detector;
import io.dmodc.manager.config.ManagerConfig.Discovery;
import io.dmodc.manager.core.Alarm;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.core.FabricState;
import io.dmodc.manager.core.LoggedEvent;
import io.dmodc.manager.core.SwitchDomains;
import io.dmodc.manager.loop.EffectShell;
import io.dmodc.manager.loop.FabricLoop;
import io.dmodc.manager.service.FabricManager;
import io.dmodc.manager.state.StateRecord.LeaderEpoch;
import io.dmodc.manager.state.StoredState;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.opensm.Lids;
import io.dmodc.routing.opensm.OpenSmDump;
import io.dmodc.routing.opensm.OpenSmTables;
import io.dmodc.settings.HostPort;
import io.dmodc.southbound.tls.Authentication;
import io.dmodc.southbound.tls.TlsFiles;
import io.dmodc.subnet.OpenSmSettings;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import io.dmodc.topology.NodeTypes;
import io.dmodc.topology.ibnet.IbnetReader;
import io.dmodc.topology.ibnet.IbnetWriter;
import io.dmodc.topology.ibnet.LidMap;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.Assertions;
import org.jspecify.annotations.Nullable;

/**
 * A subnet of shell scripts and files with a real manager in front: {@code discover} prints {@code net}, {@code hup} does what
 * OpenSM's file engine would, takes over the dump as what the switches hold, and {@code route LID} prints a section of that.
 * Each script can be exchanged for a bad one.
 */
final class FakeSubnet implements AutoCloseable {
    static final String PGFT = "2;4,4;1,2;1,1";

    /** Prints which file one is, for scripts. */
    static final String DUMP_FILE = "stat -c %i:%.9Y";

    final Path directory;
    final Path dump;
    private String net;
    private @Nullable FabricManager manager;

    FakeSubnet(Path directory) throws IOException {
        this(directory, new DrawnSubnet(PGFT).text());
    }

    /** @param net what {@code ibnetdiscover} is to print */
    FakeSubnet(Path directory, String net) throws IOException {
        this.directory = directory;
        this.net = net;
        dump = Files.createDirectory(directory.resolve("dumps")).resolve("lfts.dump");
        Files.createFile(directory.resolve("opensm.log"));
        show(net);
        goodDiscover();
        goodHup();
        goodRoute();
    }

    void goodDiscover() throws IOException {
        script("discover", "exec cat " + directory + "/net");
    }

    void goodHup() throws IOException {
        script(
                "hup",
                "cp " + dump + " " + directory + "/held.new && mv " + directory + "/held.new " + directory + "/held");
    }

    void goodRoute() throws IOException {
        script(
                "route",
                "exec awk -v head=\"switch Lid $1 guid\" '/^Unicast/ { on = index($0, head) } on' " + directory
                        + "/held");
    }

    /** {@code look PATH}: what {@code iblinkinfo -l} prints of the switch at the end of a directed path from the first host. */
    void goodLook() throws IOException {
        script(
                "look",
                "echo \"$1\" >>" + directory + "/looked\nexec awk -v path=\"$1\" '" + LOOK + "' " + directory + "/net");
    }

    private static final String LOOK = """
            function named(text) { match(text, /"[^"]*"/); return substr(text, RSTART + 1, RLENGTH - 2) }
            function number(text, before) { match(text, before "[0-9]+"); text = substr(text, RSTART, RLENGTH); gsub(/[^0-9]/, "", text); return text }
            /^Switch/ || /^Ca/ { node = named($0); ports[node] = $2; lid[node] = number($0, "lid ") }
            /^Ca/ && !start { start = node }
            /^\\[/ {
                port = number($1, "\\\\["); to[node, port] = named($0)
                match($0, /"\\[[0-9]+\\](\\([0-9a-f]+\\))?/); end = substr($0, RSTART + 1, RLENGTH - 1)
                far[node, port] = number(end, "\\\\["); guid[node, port] = substr(named($0), 3)
                if (match(end, /\\([0-9a-f]+/)) guid[node, port] = substr(end, RSTART + 1, RLENGTH - 1)
                n = split($0, words, " lid "); split(words[n], last, " "); farLid[node, port] = last[1]
            }
            END {
                hops = split(path, hop, ","); at = start
                for (i = 2; i <= hops; i++) at = to[at, hop[i]]
                if (at !~ /^S/) { print "no answer" >"/dev/stderr"; exit 1 }
                for (port = 1; port <= ports[at]; port++) {
                    printf "0x%s \\"%30s\\" %6d %4d[  ] ==(", substr(at, 3), "x", lid[at], port
                    if (to[at, port]) printf " 4X Active/  LinkUp)==>  0x%s %6d %4d[  ] \\"y\\" ( )\\n", guid[at, port], farLid[at, port], far[at, port]
                    else printf "                Down/ Polling)==>             [  ] \\"\\" ( )\\n"
                }
            }""";

    void script(String name, String body) throws IOException {
        Path fresh = Files.writeString(directory.resolve(name + ".new"), "#!/bin/sh\n" + body + "\n");
        Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.move(fresh, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** The fabric is another one from now on. */
    void put(String text) throws IOException {
        net = text;
        show(text);
    }

    private void show(String text) throws IOException {
        Path fresh = Files.writeString(directory.resolve("net.new"), text);
        Files.move(
                fresh, directory.resolve("net"), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** The whole fabric again. */
    void mend() throws IOException {
        show(net);
    }

    /** The text without the lines of these two ends, which are one cable. */
    void cut(long guid, int port, long farGuid, int farPort) throws IOException {
        show(without(net, guid, port, farGuid, farPort));
    }

    /** Without two cables, each by GUID and port of its ends. */
    void cutBoth(long[] one, long[] other) throws IOException {
        String left = without(net, one[0], (int) one[1], one[2], (int) one[3]);
        show(without(left, other[0], (int) other[1], other[2], (int) other[3]));
    }

    private static String without(String text, long guid, int port, long farGuid, int farPort) {
        StringBuilder without = new StringBuilder();
        String block = "";
        for (String line : text.split("\n", -1)) {
            block = line.startsWith("Switch") ? line : line.isEmpty() ? "" : block;
            boolean near = block.contains(Guid.digits(guid)) && line.startsWith("[" + port + "]");
            boolean far = block.contains(Guid.digits(farGuid)) && line.startsWith("[" + farPort + "]");
            without.append(near || far ? "" : line + "\n");
        }
        return without.toString();
    }

    /** The text without the cable of the first leaf to the first switch above it. */
    void cutUplink(FabricView view) throws IOException {
        int leaf = 0;
        while (!view.isLeaf(leaf)) {
            leaf++;
        }
        int port = 1;
        while (view.peerSwitch(leaf, port) < 0) {
            port++;
        }
        int top = view.peerSwitch(leaf, port);
        cut(view.switchGuid(leaf), port, view.switchGuid(top), view.peerPort(leaf, port));
    }

    /** The text without this switch and all that leads to it. */
    void kill(long guid) throws IOException {
        String digits = Guid.digits(guid);
        show(Stream.of(net.split("\n\n"))
                .filter(block -> !block.contains("\nSwitch") || !block.contains("switchguid=0x" + digits))
                .map(block -> block.lines()
                        .filter(line -> !line.contains("S-" + digits))
                        .collect(Collectors.joining("\n")))
                .collect(Collectors.joining("\n\n", "", "\n")));
    }

    /** All LIDs above what they were, as OpenSM deals them that lost its file of LIDs. */
    void renumber(int by) throws IOException {
        FabricView view = view();
        LidMap lids = new LidMap().completedFor(view);
        LidMap other = new LidMap();
        for (int s = 0; s < view.switchCount(); s++) {
            other.put(view.switchGuid(s), lids.lidOf(view.switchGuid(s)) + by);
        }
        for (int node = 0; node < view.nodeCount(); node++) {
            other.put(view.nodeGuid(node), lids.lidOf(view.nodeGuid(node)) + by);
        }
        StringBuilder text = new StringBuilder();
        IbnetWriter.write(view, other, text);
        put(text.toString());
    }

    OpenSmSettings settings() {
        return settings(directory + "/route {lid}");
    }

    OpenSmSettings settings(String readBack) {
        return new OpenSmSettings(
                dump,
                directory + "/discover",
                null,
                null,
                Duration.ofMillis(200),
                Duration.ofSeconds(2),
                directory.resolve("opensm.log"),
                false,
                null,
                directory + "/hup",
                readBack,
                null,
                null,
                4,
                Duration.ofSeconds(1),
                Duration.ofMillis(1500),
                directory.resolve("guid2lid"),
                directory.resolve("roots"),
                directory.resolve("nodes"));
    }

    /** Looks at switches that the log names, and else rarely. */
    OpenSmSettings lookingAtSwitches() throws IOException {
        return lookingAtSwitches(Duration.ofSeconds(10));
    }

    OpenSmSettings lookingAtSwitches(Duration loadTimeout) throws IOException {
        goodLook();
        OpenSmSettings of = settings();
        return new OpenSmSettings(
                of.dump(),
                of.discovery(),
                null,
                directory + "/look {path}",
                Duration.ofMinutes(10),
                of.commandTimeout(),
                of.log(),
                of.sweepOnChange(),
                null,
                of.hupCommand(),
                of.readBack(),
                of.switchReadBack(),
                of.smQuery(),
                OpenSmSettings.defaults().parallel(),
                loadTimeout,
                Duration.ofMinutes(10),
                null,
                null,
                null);
    }

    /** A core that knows of nothing, and whose loop stands still: what it is told waits. */
    static FabricLoop restingLoop(LongSupplier clock) {
        return restingLoop(clock, effect -> {});
    }

    static FabricLoop restingLoop(LongSupplier clock, EffectShell shell) {
        return new FabricLoop(
                new FabricState(
                        ManagerConfig.defaults().rules(SwitchDomains.none(), NodeTypes.NONE),
                        0,
                        0,
                        StoredState.of(List.of(new LeaderEpoch(1))),
                        Set.of()),
                shell,
                clock);
    }

    static OpenSmSettings withdrawingAfter(OpenSmSettings of, Duration withdrawAfter) {
        return changed(of, of.discoveryFile(), of.sweepOnChange(), of.pidFile(), withdrawAfter);
    }

    static OpenSmSettings discoveringBy(OpenSmSettings of, Path file) {
        return changed(of, file, of.sweepOnChange(), of.pidFile(), of.withdrawAfter());
    }

    static OpenSmSettings sweepingOnChange(OpenSmSettings of) {
        return changed(of, of.discoveryFile(), true, of.pidFile(), of.withdrawAfter());
    }

    static OpenSmSettings signallingBy(OpenSmSettings of, Path pidFile) {
        return changed(of, of.discoveryFile(), of.sweepOnChange(), pidFile, of.withdrawAfter());
    }

    static OpenSmSettings askingBy(OpenSmSettings of, String smQuery) {
        return changed(of, of.discoveryFile(), of.sweepOnChange(), of.pidFile(), of.withdrawAfter(), smQuery);
    }

    private static OpenSmSettings changed(
            OpenSmSettings of,
            @Nullable Path discoveryFile,
            boolean sweepOnChange,
            @Nullable Path pidFile,
            Duration withdrawAfter) {
        return changed(of, discoveryFile, sweepOnChange, pidFile, withdrawAfter, of.smQuery());
    }

    private static OpenSmSettings changed(
            OpenSmSettings of,
            @Nullable Path discoveryFile,
            boolean sweepOnChange,
            @Nullable Path pidFile,
            Duration withdrawAfter,
            @Nullable String smQuery) {
        return new OpenSmSettings(
                of.dump(),
                of.discovery(),
                discoveryFile,
                of.switchLook(),
                of.interval(),
                of.commandTimeout(),
                of.log(),
                sweepOnChange,
                pidFile,
                of.hupCommand(),
                of.readBack(),
                of.switchReadBack(),
                smQuery,
                of.parallel(),
                of.loadTimeout(),
                withdrawAfter,
                of.guid2lid(),
                of.roots(),
                of.nodes());
    }

    void start() throws IOException {
        start(settings());
    }

    void start(OpenSmSettings settings) throws IOException {
        ManagerConfig defaults = ManagerConfig.defaults();
        HostPort any = new HostPort("127.0.0.1", 0);
        Detector ring = defaults.detector();
        manager = new FabricManager(
                new ManagerConfig(
                        directory.resolve("state"),
                        new ManagerConfig.Southbound(
                                any, Duration.ofSeconds(2), 64, Authentication.OFF, TlsFiles.defaults(), settings),
                        new ManagerConfig.Northbound(any),
                        defaults.routing(),
                        new Detector(
                                ring.cluster(),
                                ring.heartbeat(),
                                ring.suspicion(),
                                ring.askingWidth(),
                                ring.opinions(),
                                ring.overlay(),
                                ring.ringSeed(),
                                null,
                                ring.membershipQuiet(),
                                false,
                                any,
                                ManagerConfig.RingAuthentication.OFF,
                                ring.keyFile(),
                                List.of()),
                        new Discovery(Duration.ofMillis(100), Duration.ofSeconds(2)),
                        new ManagerConfig.Push(Duration.ofSeconds(1), 5, DrainTime.parse("100ms"), 50),
                        new ManagerConfig.Links(Duration.ZERO, Duration.ZERO, Duration.ofMinutes(10))),
                Set.of());
    }

    private FabricManager running() {
        return Objects.requireNonNull(manager);
    }

    FabricLoop loop() {
        return running().loop();
    }

    FabricSnapshot now() {
        return loop().snapshot();
    }

    FabricView view() {
        return Objects.requireNonNull(now().view());
    }

    /** The whole fabric, also while no manager runs. */
    FabricView planned() {
        return new DrawnSubnet(PGFT).view();
    }

    /** Where its REST is. */
    String administrators() {
        return "http://127.0.0.1:" + running().northboundAddress().getPort();
    }

    OpenSmBridge bridge() {
        return Objects.requireNonNull(running().opensm());
    }

    List<String> alarms() {
        return now().alarms().stream().map(Alarm::text).toList();
    }

    String opensmAlarm() {
        return now().alarms().stream()
                .filter(alarm -> alarm.kind() == Alarm.Kind.SUBNET_MANAGER)
                .map(Alarm::text)
                .collect(Collectors.joining());
    }

    long told() {
        return told(LoggedEvent.Kind.SUBNET_MANAGER);
    }

    /** How many events of a kind. */
    long told(LoggedEvent.Kind kind) {
        return running().eventLog().last(1000).stream()
                .filter(entry -> entry.note().kind() == kind)
                .count();
    }

    void await(String what, BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                Assertions.fail("no " + what + " in 20 s; alarms " + alarms() + ", epoch " + now().epoch()
                        + ", outstanding " + now().outstanding());
            }
            Thread.sleep(10);
        }
    }

    void await(String what, Predicate<FabricSnapshot> condition) throws InterruptedException {
        await(what, () -> condition.test(now()));
    }

    void awaitServed() throws InterruptedException {
        await("tables in force", state -> state.tables() != null && state.calm() && state.outstanding() == 0);
        await("an end of work", () -> bridge().calm());
    }

    /** What the scripts say that switches hold, by the indices of the manager's view. */
    OpenSmTables held() {
        return read(directory.resolve("held"));
    }

    OpenSmTables read(Path file) {
        try {
            byte[] text = Files.readAllBytes(directory.resolve("net"));
            return read(
                    file,
                    IbnetReader.read("net", new ByteArrayInputStream(text)).lids());
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** @param dealt what LIDs stand for in lines without a port GUID */
    OpenSmTables read(Path file, LidMap dealt) {
        try (BufferedReader in = Files.newBufferedReader(file)) {
            return OpenSmDump.read(file.toString(), in, view(), Lids.of(view(), dealt::lidOf, dealt::lmcOf));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** What a dump says, whether it names port GUIDs or LIDs only. */
    static String withoutGuids(String dump) {
        return dump.replaceAll(" portguid 0x[0-9a-f]{16}:", "");
    }

    /** True if switches hold just what the core wants them to. */
    boolean holdsDesired() {
        return isDesired(held());
    }

    /**
     * Which file the dump is, not read: its bytes are as they are until it is another one. As {@link #DUMP_FILE} prints it; written twice at once, it has the
     * number of the first again.
     */
    Object dumpFile() {
        try {
            Map<String, Object> file = Files.readAttributes(dump, "unix:ino,lastModifiedTime");
            Instant written = ((FileTime) file.get("lastModifiedTime")).toInstant();
            return String.format(
                    Locale.ROOT, "%s:%d.%09d", file.get("ino"), written.getEpochSecond(), written.getNano());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** True if the dump, which is read, says so. */
    boolean dumpsDesired() {
        return isDesired(read(dump));
    }

    private boolean isDesired(OpenSmTables held) {
        LftSet wanted = (LftSet) Objects.requireNonNull(now().tables());
        for (int s = 0; s < view().switchCount(); s++) {
            for (int node = 0; node < view().nodeCount(); node++) {
                if (view().alive(s) && held.nodeTables().port(s, node) != wanted.port(s, node)) {
                    return false;
                }
            }
        }
        return held.missingSwitches().isEmpty();
    }

    @Override
    public void close() throws InterruptedException {
        if (manager != null) {
            manager.close();
            await("end of all scripts", () -> !somebodyWorksHere());
        }
    }

    /** A script that is killed as it starts a command leaves that one behind, which writes a file yet. */
    private boolean somebodyWorksHere() {
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : processes) {
                if (commandLine(process).contains(directory + "/")) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Not by way of {@link ProcessHandle.Info}, which looks up the user of each process, too. */
    private static String commandLine(Path process) {
        try {
            return Files.readString(process.resolve("cmdline"), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            return ""; // it has ended
        }
    }

    /** How many files this process has open that had this name, which others have by now: their room is not given back. */
    static long openThoughReplaced(Path file) {
        try (Stream<Path> open = Files.list(Path.of("/proc/self/fd"))) {
            String replaced = file + " (deleted)";
            return open.filter(each -> leadsTo(each, replaced)).count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean leadsTo(Path link, String target) {
        try {
            return Files.readSymbolicLink(link).toString().equals(target);
        } catch (IOException e) {
            return false; // Closed meanwhile.
        }
    }
}
