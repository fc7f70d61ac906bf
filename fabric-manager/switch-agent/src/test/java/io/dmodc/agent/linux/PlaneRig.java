package io.dmodc.agent.linux;

import io.dmodc.agent.plane.Destination;
import io.dmodc.agent.plane.Destinations;
import io.dmodc.agent.plane.InstallProgress;
import io.dmodc.agent.plane.InstalledTable;
import io.dmodc.agent.plane.PlaneException;
import io.dmodc.agent.plane.PlaneListener;
import io.dmodc.agent.plane.TableChange;
import io.dmodc.southbound.Alternatives;
import io.dmodc.southbound.TableDigest;
import io.dmodc.southbound.TableVersion;
import io.dmodc.topology.HostAddresses;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** A plane in one namespace, driven as an agent would: destination d is 10.100.0.(d + 1), and fd00::(d + 1) if wanted. */
final class PlaneRig implements AutoCloseable {
    /** It ends what would hang, on a machine however busy, and measures nothing. */
    static final long PATIENCE_SECONDS = 120;

    /** How often a large table is written; the first time there was none. */
    static final int LARGE_ROUNDS = System.getProperty("trials") == null ? 2 : 4;

    record Repaired(int port, int moved, int stranded) {}

    final TableCabling cabling = new TableCabling();
    final LinuxPlane plane;
    final BlockingQueue<Repaired> repairs = new LinkedBlockingQueue<>();
    final BlockingQueue<Integer> silences = new LinkedBlockingQueue<>();
    final BlockingQueue<Integer> portNews = new LinkedBlockingQueue<>();
    /** Tables installed until then that may be lost. */
    final BlockingQueue<Long> losses = new LinkedBlockingQueue<>();

    private InstalledTable installed = InstalledTable.NONE;
    private Destinations destinations = Destinations.NONE;
    private long epoch;

    PlaneRig(List<String> command, int portCount, @Nullable Path stateDir) throws PlaneException {
        this(7, command, portCount, stateDir, true);
    }

    PlaneRig(List<String> command, int portCount, @Nullable Path stateDir, boolean standing) throws PlaneException {
        this(7, command, portCount, stateDir, standing);
    }

    PlaneRig(long guid, List<String> command, int portCount, @Nullable Path stateDir, boolean standing)
            throws PlaneException {
        LinuxSettings settings = new LinuxSettings(guid, "s7", portCount, "p", 201, standing, stateDir, command);
        plane = LinuxPlane.open(settings, cabling);
        plane.listen(new PlaneListener() {
            @Override
            public void portChanged(int number) {
                portNews.add(number);
            }

            @Override
            public void portSilent(int number) {
                silences.add(number);
            }

            @Override
            public void tableLost() {
                losses.add(epoch);
            }

            @Override
            public void repaired(int number, int moved, int stranded) {
                repairs.add(new Repaired(number, moved, stranded));
            }
        });
    }

    static Destination destination(int d, boolean ipv6) {
        return new Destination(0x100 + d, "node" + d, HostAddresses.parse(0, ipv4(d), ipv6 ? ipv6(d) : null, null));
    }

    static String ipv4(int d) {
        return "10.100." + ((d + 1) >> 8) + "." + ((d + 1) & 255);
    }

    static String ipv6(int d) {
        return "fd00::" + Integer.toHexString(d + 1);
    }

    /** What indices stand for from now on. */
    void destinations(int count, boolean ipv6) {
        destinations = Destinations.of(count, d -> destination(d, ipv6));
    }

    void destinations(Destinations now) {
        destinations = now;
    }

    InstalledTable readBack() throws PlaneException {
        installed = await(plane.readBack());
        return installed;
    }

    /** Installs a table whose changed entries are those that differ, and those named. */
    void install(Alternatives alternatives, BitSet also, int... ports) throws PlaneException {
        byte[] entries = new byte[ports.length];
        for (int d = 0; d < ports.length; d++) {
            entries[d] = (byte) ports[d];
        }
        install(alternatives, also, entries, (done, total) -> {});
    }

    void install(Alternatives alternatives, BitSet also, byte[] entries, InstallProgress progress)
            throws PlaneException {
        byte[] before = installed.entries();
        BitSet changed = (BitSet) also.clone();
        for (int d = 0; d < Math.max(before.length, entries.length); d++) {
            int was = d < before.length ? before[d] : -1;
            int is = d < entries.length ? entries[d] : -1;
            changed.set(d, was != is || changed.get(d));
        }
        InstalledTable table = new InstalledTable(new TableVersion(1, ++epoch), entries);
        TableChange change = new TableChange(installed, table, changed, destinations, alternatives);
        await(plane.install(change, progress));
        installed = table;
    }

    void install(int... ports) throws PlaneException {
        install(Alternatives.NONE, new BitSet(), ports);
    }

    /** Every destination of the table in force can be reached over these ports. */
    Alternatives alternatives(int... ports) {
        byte[] set = new byte[ports.length];
        for (int at = 0; at < ports.length; at++) {
            set[at] = (byte) ports[at];
        }
        return new Alternatives.Builder(TableDigest.of(installed.entries()))
                .run(installed.entries().length, set)
                .build();
    }

    /** Tells the plane of alternatives as an agent does: by the table in force once more. */
    void tell(Alternatives alternatives) throws PlaneException {
        BitSet all = new BitSet();
        all.set(0, installed.entries().length);
        byte[] entries = installed.entries();
        await(plane.install(new TableChange(installed, installed, all, destinations, alternatives), (d, t) -> {}));
        if (!Arrays.equals(entries, installed.entries())) {
            throw new AssertionError("the table changed by what was told of others");
        }
    }

    /** Waits until all that is to stand behind the routes does, and returns how many do. */
    int standing() throws PlaneException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        int count = plane.standingRoutes();
        while (count < 0 && System.nanoTime() < deadline) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
            count = plane.standingRoutes();
        }
        return count;
    }

    interface Check {
        void run() throws Exception;
    }

    /** Waits until it holds. */
    static void eventually(String what, Check check) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (true) {
            try {
                check.run();
                return;
            } catch (AssertionError notYet) {
                if (System.nanoTime() > deadline) {
                    throw new AssertionError(what, notYet);
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
            }
        }
    }

    static <T> T await(CompletionStage<T> stage) throws PlaneException {
        try {
            return stage.toCompletableFuture().get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof PlaneException refused) {
                throw refused;
            }
            throw new AssertionError(e.getCause());
        } catch (InterruptedException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        plane.close();
    }
}
