package io.dmodc.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.detector.net.RingKey;
import io.dmodc.manager.config.ManagerConfig;
import io.dmodc.manager.core.EpochRecord;
import io.dmodc.manager.core.FabricEvent.RevokeHeard;
import io.dmodc.manager.core.FabricEvent.SettingsRead;
import io.dmodc.manager.core.FabricEvent.TimePassed;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.core.LoggedEvent;
import io.dmodc.manager.core.LoggedEvent.Kind;
import io.dmodc.manager.core.SwitchRecord.Condition;
import io.dmodc.manager.core.SwitchSnapshot;
import io.dmodc.manager.loop.EventLog;
import io.dmodc.manager.ring.ManagerRingMember;
import io.dmodc.manager.service.FabricManager;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.check.CheckReport;
import io.dmodc.routing.check.HeldRowWalk;
import io.dmodc.routing.check.HeldRows;
import io.dmodc.routing.check.SurplusEntryRule;
import io.dmodc.routing.check.TableCheck;
import io.dmodc.routing.check.TableColumn;
import io.dmodc.settings.Settings;
import io.dmodc.topology.FabricView;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Base64;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** A running manager on free ports of loopback, and somebody who asks it what an administrator would ask. */
final class RunningManager implements AutoCloseable {
    /** Far above what anything takes on a busy machine: it ends a test that would hang, it measures nothing. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** Short times, so that a test waits for decisions and not for settling. */
    private static final String SETTINGS = """
            southbound: {listen: '127.0.0.1:0', authentication: off}
            northbound: {listen: '127.0.0.1:0'}
            detector: {heartbeat: 100ms, suspicion: 3s, membership-quiet: 50ms, listen: '127.0.0.1:0'}
            discovery: {quiet: 300ms, timeout: 60s}
            push: {ack-timeout: 3s, tries: 5}
            links: {hold-down: 20ms, hold-down-max: 100ms}
            """;

    /** What all keys of these tests are made of; a site has it in memory, a manager reads it from its own file. */
    private static final byte[] SECRET = "a ring of tests, 32 bytes in all".getBytes(StandardCharsets.US_ASCII);

    private final FabricManager service;

    private RunningManager(FabricManager service) {
        this.service = service;
    }

    /**
     * Starts a manager.
     *
     * @param directory holds its settings file and its state directory, which outlive it
     * @param expected switches whose reports the first tables wait for, so that the first are also the last for a while
     * @param overrides of settings, by key
     */
    static RunningManager open(Path directory, Set<Long> expected, Map<String, String> overrides) throws IOException {
        return new RunningManager(new FabricManager(settings(directory, overrides), expected));
    }

    static ManagerConfig settings(Path directory, Map<String, String> overrides) throws IOException {
        Path file = Files.writeString(directory.resolve("fabric-manager.yaml"), SETTINGS);
        Map<String, String> all = new TreeMap<>(overrides);
        all.putIfAbsent("state-dir", state(directory).toString());
        all.putIfAbsent("detector.key-file", keyFile(directory).toString());
        return Settings.read(file, ManagerConfig.class, all);
    }

    /** Writes the key of the ring, as an operator would: nobody else may read it. */
    static Path keyFile(Path directory) throws IOException {
        Path file = directory.resolve("detector.key");
        if (!Files.exists(file)) {
            Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(file, Base64.getEncoder().encodeToString(SECRET) + "\n");
        }
        return file;
    }

    static RingKey key() {
        return RingKey.of(SECRET);
    }

    static Path state(Path directory) {
        return directory.resolve("state");
    }

    static ConditionFactory await(String what) {
        return Awaitility.await(what).atMost(PATIENCE).pollInterval(Duration.ofMillis(10));
    }

    InetSocketAddress southbound() {
        return service.southboundAddress();
    }

    /** Reads what is known once all was taken in that was said before. */
    <T> T ask(Function<FabricSnapshot, T> question) {
        try {
            TimePassed now = new TimePassed(service.loop().nowNanos());
            return question.apply(service.loop().tell(now).get(PATIENCE.toSeconds(), TimeUnit.SECONDS));
        } catch (Exception e) {
            throw new AssertionError("the manager does not answer", e);
        }
    }

    /** Waits until the manager knows of it, and has nothing left to compute, to push or to wait for. */
    void awaitCalm(String what, Predicate<FabricSnapshot> known) {
        await(what).until(() -> ask(state -> state.calm() && state.tables() != null && known.test(state)));
    }

    /** Waits until every switch of the site has an agent that answers and the table it should have. */
    void awaitAllServed(Site site) {
        awaitCalm("all switches served", state -> site.guids().stream().allMatch(guid -> served(state, guid)));
    }

    static boolean served(FabricSnapshot state, long guid) {
        SwitchSnapshot record = state.findSwitch(guid);
        return record != null
                && record.condition() == Condition.CONNECTED
                && record.agentConnected()
                && !record.agentSilent()
                && !record.flagged()
                && record.upToDate();
    }

    static Condition condition(FabricSnapshot state, long guid) {
        return Objects.requireNonNull(state.findSwitch(guid)).condition();
    }

    /** Waits until what the switches really hold passes the check of the view the manager has. */
    void awaitValid(Site site) {
        awaitValid(site, SurplusEntryRule.FORBIDDEN);
    }

    void awaitValid(Site site, SurplusEntryRule surplus) {
        await("valid tables in the switches").untilAsserted(() -> {
            FabricView view = ask(state -> Objects.requireNonNull(state.view()));
            CheckReport report = TableCheck.check(view, site.held(view), surplus, Parallel.sequential());
            assertThat(report.valid())
                    .as(() -> String.join("\n", report.lines(view)))
                    .isTrue();
        });
    }

    /** Waits until what the switches really hold brings every packet of every leaf to its host, whatever else they hold. */
    void awaitDelivered(Site site) {
        await("packets delivered").untilAsserted(() -> {
            FabricView view = ask(state -> Objects.requireNonNull(state.view()));
            LftSet held = site.held(view);
            HeldRowWalk walk = new HeldRowWalk(view, view, new HeldRows(view, Map.of(), Map.of(), held.entryCount()));
            TableColumn column = new TableColumn(view, held);
            BitSet all = new BitSet();
            all.set(0, view.switchCount());
            for (int node = 0; node < view.nodeCount(); node++) {
                column.turnTo(node);
                for (int target = 0; target < view.leafCount(); target++) {
                    assertThat(column.port(view.targetSwitch(target))).isNotEqualTo(LftSet.NO_ROUTE);
                }
                walk.walk(column, all, column::port, s -> false);
                assertThat(walk.lost())
                        .as("leaves without a way to node %d", node)
                        .isZero();
            }
        });
    }

    /** Blocks written in all epochs, by the manager's own books. */
    long blocksPushed() {
        return ask(state ->
                state.epochs().stream().mapToLong(EpochRecord::blocksPushed).sum());
    }

    int switchesPushed() {
        return ask(state ->
                state.epochs().stream().mapToInt(EpochRecord::switchesPushed).sum());
    }

    ManagerRingMember ringMember() {
        return Objects.requireNonNull(service.ringMember());
    }

    /** Another manager in the ring revokes all tables below its leader epoch. */
    void hearsOfLeader(long leaderEpoch) {
        assertThat(service.loop().offer(new RevokeHeard(service.loop().nowNanos(), leaderEpoch, 0)))
                .isTrue();
    }

    /** Has somebody who listens to events fail with an Error, on the loop's thread, and has an event told. */
    void eventsEndIn(Supplier<Error> error) {
        EventLog.Subscription unused = service.eventLog().listen(entry -> {
            throw error.get();
        });
        service.loop().offer(new SettingsRead(service.loop().nowNanos(), null, "as before"));
    }

    void revokeBelow(long fabricEpoch) {
        assertThat(service.revokeBelow(fabricEpoch)).isTrue();
    }

    void awaitNote(Kind kind) {
        await(kind + " in the event log").until(() -> !notes(kind).isEmpty());
    }

    /** Of this manager; those of one before it came from the disk and have lost their monotonic time. */
    List<LoggedEvent> notes(Kind kind) {
        return service.eventLog().last(EventLog.KEPT).stream()
                .map(EventLog.Entry::note)
                .filter(note -> note.kind() == kind && note.nowNanos() != 0)
                .toList();
    }

    @Override
    public void close() {
        service.close();
    }
}
