package io.dmodc.demo.ibsim;

import io.dmodc.manager.core.Alarm;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.opensm.LoadTimes;
import io.dmodc.manager.service.FabricManager;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Host;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** What happens to the subnet, and what is checked after each of it: tables in force, and ways between sampled hosts. */
final class IbsimScenario {
    private static final int PAIRS = 24;
    private static final long SEED = 1;
    private static final long CALM_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final SimulatedSubnet subnet;
    private final FabricManager manager;
    private final Path guid2lid;
    private final PrintStream out;
    private int count;

    IbsimScenario(SimulatedSubnet subnet, FabricManager manager, Path guid2lid, PrintStream out) {
        this.subnet = subnet;
        this.manager = manager;
        this.guid2lid = guid2lid;
        this.out = out;
    }

    /** Something that is done to the subnet. */
    private interface Fault {
        void run() throws IOException, InterruptedException, IbsimFailure;
    }

    void play(IbsimTargets targets) throws IOException, InterruptedException, IbsimFailure {
        int links = targets.linkCount();
        play("OpenSM loads the first tables", () -> {}, state -> view(state).linkCount() == links);
        byte[] first = Files.readAllBytes(subnet.dump());
        play(
                "a cable is cut: " + targets.cableText(),
                () -> subnet.cut(targets.cableSwitch(), targets.cablePort()),
                state -> view(state).linkCount() == links - 1);
        play(
                "it is plugged in again",
                () -> subnet.mend(targets.cableSwitch(), targets.cablePort()),
                state -> view(state).linkCount() == links);
        play(
                "a switch loses power: " + targets.topText(),
                () -> subnet.kill(targets.top()),
                state -> view(state).linkCount() == links - targets.topLinks());
        play(
                "it is back",
                () -> subnet.revive(targets.top()),
                state -> view(state).linkCount() == links);
        play(
                "OpenSM is killed and started again",
                () -> {
                    subnet.killOpenSm();
                    subnet.startOpenSm();
                },
                state -> view(state).linkCount() == links);
        if (!Arrays.equals(first, Files.readAllBytes(subnet.dump()))) {
            throw new IbsimFailure("the last tables are not the first ones; expected the same for the same fabric");
        }
    }

    private static FabricView view(FabricSnapshot state) {
        return Objects.requireNonNull(state.view());
    }

    private void play(String title, Fault fault, Predicate<FabricSnapshot> known)
            throws IOException, InterruptedException, IbsimFailure {
        out.printf(Locale.ROOT, "%n%2d  %s%n", ++count, title);
        long before = count == 1 ? 0 : System.nanoTime();
        fault.run();
        await(title, known);
        tellTimes(before);
        checkWays();
    }

    /** Calm, nothing outstanding, and no alarm about OpenSM. */
    private void await(String title, Predicate<FabricSnapshot> known) throws InterruptedException, IbsimFailure {
        long end = System.nanoTime() + CALM_NANOS;
        while (true) {
            FabricSnapshot state = manager.loop().snapshot();
            if (state.tables() != null
                    && state.calm()
                    && known.test(state)
                    && Objects.requireNonNull(manager.opensm()).calm()
                    && opensmAlarm(state).isEmpty()) {
                return;
            }
            if (System.nanoTime() > end) {
                throw new IbsimFailure(title + ": not healed within "
                        + TimeUnit.NANOSECONDS.toSeconds(CALM_NANOS) + " s; " + state.outstanding()
                        + " switches do not hold their tables; " + opensmAlarm(state));
            }
            Thread.sleep(5);
        }
    }

    private static String opensmAlarm(FabricSnapshot state) {
        return state.alarms().stream()
                .filter(alarm -> alarm.kind() == Alarm.Kind.SUBNET_MANAGER)
                .map(Alarm::text)
                .collect(Collectors.joining());
    }

    private void tellTimes(long before) {
        List<LoadTimes> loads = Objects.requireNonNull(manager.opensm()).times().stream()
                .filter(load -> load.writtenNanos() > before)
                .toList();
        if (loads.isEmpty()) {
            out.println("    no table had to change");
            return;
        }
        for (LoadTimes load : loads) {
            long zero = before == 0 ? load.seenNanos() : before;
            out.printf(
                    Locale.ROOT,
                    "    noticed %s, computed %s, written %s, OpenSM done %s, read back %s; %d switches, %,d blocks rewritten%n",
                    millis(load.seenNanos() - zero),
                    load.pushedNanos() < zero ? "before" : millis(load.pushedNanos() - zero),
                    millis(load.writtenNanos() - zero),
                    load.configuredNanos() == 0 ? "unknown" : millis(load.configuredNanos() - zero),
                    load.readBackNanos() == 0 ? "with the next round" : millis(load.readBackNanos() - zero),
                    load.switches(),
                    load.blocks());
        }
    }

    private static String millis(long nanos) {
        return String.format(Locale.ROOT, "%.0f ms", nanos / 1e6);
    }

    /** Between hosts that are connected at all. */
    private void checkWays() throws IOException, InterruptedException, IbsimFailure {
        FabricView view = view(manager.loop().snapshot());
        Map<Long, Integer> lids = lids();
        List<Integer> hosts = new ArrayList<>();
        for (int node = 0; node < view.nodeCount(); node++) {
            if (view.isHost(node) && view.nodeSwitch(node) >= 0 && view.alive(view.nodeSwitch(node))) {
                hosts.add(node);
            }
        }
        Random random = new Random(SEED + count);
        for (int i = 0; i < PAIRS; i++) {
            Host from = host(view, hosts.get(random.nextInt(hosts.size())));
            Host to = host(view, hosts.get(random.nextInt(hosts.size())));
            if (from.portGuid() != to.portGuid() && !subnet.reaches(lid(lids, from), lid(lids, to), to.hostGuid())) {
                throw new IbsimFailure("ibtracert finds no way from " + from.name() + " to " + to.name());
            }
        }
        out.println("    ibtracert finds a way between " + PAIRS + " sampled pairs of hosts");
    }

    private static Host host(FabricView view, int node) {
        return Objects.requireNonNull(view.host(node));
    }

    private static int lid(Map<Long, Integer> lids, Host host) throws IbsimFailure {
        Integer lid = lids.get(host.portGuid());
        if (lid == null) {
            throw new IbsimFailure(host.name() + " has no LID");
        }
        return lid;
    }

    private Map<Long, Integer> lids() throws IOException {
        Map<Long, Integer> lids = new HashMap<>();
        for (String line : Files.readAllLines(guid2lid)) {
            String[] words = line.split(" ");
            if (words.length == 3) {
                lids.put(Long.parseUnsignedLong(words[0].substring(2), 16), Integer.decode(words[1]));
            }
        }
        return lids;
    }
}
