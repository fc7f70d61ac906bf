package io.dmodc.manager.loop;

import io.dmodc.manager.core.Act;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.state.StateRecord.KeptEpoch;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.change.TableDifference.EpochTables;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.PortPlace;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Back to the tables of an earlier epoch. Tables follow from the fabric, from what is drained and from the engine: what the fabric has now and
 * had not then is drained, and the engine of then computes. That this gives the tables of then, entry by entry, is compared with what was
 * kept of them before anything is applied; and whatever breaks afterwards is led around as ever.
 */
final class Rollback {
    /** Beyond, the fabric is another one. */
    private static final int DRAINS_MAX = 1000;

    private static final int NAMES_MAX = 8;

    private final FabricView then;
    private final FabricView works;

    private Rollback(FabricView then, FabricView works) {
        this.then = then;
        this.works = works;
    }

    /** @throws DeclinedException in a few words when they are not kept, or the fabric has not all that they use */
    static Act act(FabricSnapshot fabric, long epoch) {
        FabricView works = fabric.works();
        EpochTables kept = tables(fabric, epoch);
        if (works == null || fabric.kept().epochs().get(0).epoch() == epoch) {
            throw new DeclinedException("the tables of epoch " + epoch + " are in force");
        }
        // Slow links are led around anyway, also then: they are not drained for it.
        Rollback rollback = new Rollback(kept.view(), works.without(new BitSet(), fabric.slowLeftOut(works, works)));
        rollback.requireAllUsed(kept);
        List<PortPlace> drained = rollback.notThere();
        if (drained.size() > DRAINS_MAX) {
            throw new DeclinedException(drained.size() + " switches and links are there that were not in epoch " + epoch
                    + "; expected at most " + DRAINS_MAX);
        }
        String engine = fabric.kept().epochs().stream()
                .filter(each -> each.epoch() == epoch)
                .map(KeptEpoch::engine)
                .findFirst()
                .orElse("");
        return Act.rollback(epoch, drained, engine);
    }

    private static EpochTables tables(FabricSnapshot fabric, long epoch) {
        EpochTables tables;
        try {
            tables = fabric.kept().at(epoch, RowDigests.RULE);
        } catch (IllegalArgumentException e) {
            throw new DeclinedException("epoch " + epoch + ": " + e.getMessage());
        }
        if (tables == null) {
            throw new DeclinedException("tables of epoch " + epoch + " are not kept");
        }
        return tables;
    }

    /** Names ports that the tables use and that lead nowhere now, or elsewhere. */
    private void requireAllUsed(EpochTables kept) {
        List<String> dead = new ArrayList<>();
        for (int t = 0; t < then.switchCount() && dead.size() < NAMES_MAX; t++) {
            LftRow row = kept.row(then.switchGuid(t));
            int s = works.switchOf(then.switchGuid(t));
            if (row != null && (s < 0 || !works.alive(s))) {
                dead.add("switch " + then.switchName(t));
            }
            for (int port = 1; row != null && s >= 0 && works.alive(s) && port <= then.portCount(t); port++) {
                if (then.peerSwitch(t, port) >= 0 && !isAsThen(t, s, port) && uses(row, port)) {
                    dead.add(then.switchName(t) + " port " + port);
                }
            }
        }
        if (!dead.isEmpty()) {
            String more = dead.size() >= NAMES_MAX ? " and perhaps more" : "";
            throw new DeclinedException("its tables use what is not there now: "
                    + String.join(", ", dead.subList(0, Math.min(NAMES_MAX, dead.size()))) + more);
        }
    }

    /** The link of a port that was live then is now, too. */
    private boolean isAsThen(int t, int s, int port) {
        int now = port <= works.portCount(s) ? works.peerSwitch(s, port) : -1;
        return now >= 0
                && works.switchGuid(now) == then.switchGuid(then.peerSwitch(t, port))
                && works.peerPort(s, port) == then.peerPort(t, port);
    }

    private static boolean uses(LftRow row, int port) {
        for (int d = 0; d < row.entryCount(); d++) {
            if (row.port(d) == port) {
                return true;
            }
        }
        return false;
    }

    /** Switches and links that carry packets now and were not in the view of then: links by their lower ends. */
    private List<PortPlace> notThere() {
        List<PortPlace> added = new ArrayList<>();
        for (int s = 0; s < works.switchCount(); s++) {
            int t = then.switchOf(works.switchGuid(s));
            if (works.alive(s) && (t < 0 || !then.alive(t))) {
                added.add(new PortPlace(works.switchGuid(s), 0));
            }
            for (int port = 1; t >= 0 && then.alive(t) && port <= works.portCount(s); port++) {
                PortPlace link = addedLink(s, t, port);
                if (link != null) {
                    added.add(link);
                }
            }
        }
        return added;
    }

    private @Nullable PortPlace addedLink(int s, int t, int port) {
        int far = works.peerSwitch(s, port);
        int farThen = far < 0 ? -1 : then.switchOf(works.switchGuid(far));
        boolean lower = far > s || (far == s && works.peerPort(s, port) > port);
        boolean was = port <= then.portCount(t) && then.peerSwitch(t, port) >= 0 && isAsThen(t, s, port);
        return far >= 0 && lower && farThen >= 0 && then.alive(farThen) && !was
                ? new PortPlace(works.switchGuid(s), port)
                : null;
    }

    /** @throws DeclinedException in a few words when tables are not those of an earlier epoch, as far as its hosts go */
    static void requireSame(FabricSnapshot fabric, long epoch, FabricView works, LftSet tables) {
        EpochTables kept = tables(fabric, epoch);
        FabricView then = kept.view();
        long entries = 0;
        String first = "";
        for (int t = 0; t < then.switchCount(); t++) {
            LftRow row = kept.row(then.switchGuid(t));
            int s = works.switchOf(then.switchGuid(t));
            for (int d = 0; row != null && d < then.nodeCount(); d++) {
                if (then.nodeSwitch(d) >= 0
                        && (s < 0 || d >= tables.entryCount() || tables.port(s, d) != row.port(d))) {
                    first = first.isEmpty() ? "the first at " + then.switchName(t) + " for node index " + d : first;
                    entries++;
                }
            }
        }
        if (entries > 0) {
            throw new DeclinedException(
                    "the tables of epoch " + epoch + " cannot be made again: " + entries
                            + " entries would be others, " + first
                            + "; they had entries moved, fitted headless switches or refused entries, other levels or hosts, or were made by another release");
        }
    }
}
