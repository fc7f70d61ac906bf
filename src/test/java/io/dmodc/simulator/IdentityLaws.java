package io.dmodc.simulator;

import io.dmodc.manager.core.Effect;
import io.dmodc.manager.core.Effect.TableUpdate;
import io.dmodc.manager.core.FabricEvent;
import io.dmodc.manager.core.FabricEvent.ActAsked;
import io.dmodc.manager.core.FabricEvent.TableAcked;
import io.dmodc.manager.core.FabricState;
import io.dmodc.manager.core.Forgettable;
import io.dmodc.manager.core.Forgettable.HostPort;
import io.dmodc.manager.core.Forgettable.SwitchGuid;
import io.dmodc.manager.core.LoggedEvent;
import io.dmodc.routing.Tables;
import io.dmodc.southbound.TableVersion;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Laws 5, 6 and 7: what is dealt once is never dealt again, is on the disk before it is used, and stays in range. */
final class IdentityLaws {
    /** Far more than a manager can count to, far below what overflows. */
    private static final long FABRIC_EPOCH_MAX = 1L << 48;

    private static final long LEADER_EPOCH_MAX = (1L << 31) - 1;

    private static final Pattern GUID = Pattern.compile("0x[0-9a-f]{16}");

    private final Simulation site;
    private final Map<Long, Integer> indexOf = new HashMap<>();
    private final Map<Integer, Long> ownerOf = new HashMap<>();
    private final Map<Long, Integer> levelOf = new HashMap<>();
    private final Map<Long, Integer> planeOf = new HashMap<>();
    private final Map<SimulatedDisk, Long> leaderSent = new HashMap<>();
    private final Map<Long, SimulatedDisk> leaderOf = new HashMap<>();
    private final Map<Long, Long> pushedEpoch = new HashMap<>();
    private final Map<Long, TableVersion> pushedVersion = new HashMap<>();
    private final Set<Long> forgottenSwitches = new HashSet<>();

    /** Host ports that got or lost an index by a person's word, and the epoch until which they had another one. */
    private final Map<Long, Long> handed = new HashMap<>();

    /** Switches that people put in the place of another one, and the epoch until which they had a number of their own. */
    private final Map<Long, Long> replaced = new HashMap<>();

    private final Map<Long, Join> joins = new HashMap<>();

    private record Join(SimulatedManager manager, long nanos) {}

    private final Map<SimulatedManager, Long> checkedEpoch = new HashMap<>();

    IdentityLaws(Simulation site) {
        this.site = site;
    }

    /** Index of a host port by the tables sent so far, or −1. */
    int indexOf(long portGuid) {
        return indexOf.getOrDefault(portGuid, -1);
    }

    /** Port GUID that an index stands for by the tables sent so far, or 0. */
    long ownerOf(int index) {
        return ownerOf.getOrDefault(index, 0L);
    }

    void started(SimulatedManager manager) {
        long sent = leaderSent.getOrDefault(manager.disk, 0L);
        if (manager.state.leaderEpoch() <= sent) {
            site.violated(
                    Law.IDENTITY_STAYS,
                    "a manager starts with leader epoch " + manager.state.leaderEpoch()
                            + " after one that sent tables under " + sent);
        }
    }

    void pushed(SimulatedManager manager, TableUpdate update) {
        leaderSent.merge(manager.disk, update.leaderEpoch(), Math::max);
        SimulatedDisk before = leaderOf.putIfAbsent(update.leaderEpoch(), manager.disk);
        if (before != null && before != manager.disk) {
            site.violated(Law.IDENTITY_STAYS, "two managers send tables under leader epoch " + update.leaderEpoch());
        }
        epochsGrowAndStayInRange(manager, update);
        FabricView view = manager.view(update.fabricEpoch());
        // What is sent again was checked when it was sent first; people may have forgotten some of it meanwhile.
        if (view != null && view.epoch() > checkedEpoch.getOrDefault(manager, 0L)) {
            checkedEpoch.put(manager, view.epoch());
            indicesStay(view);
            levelsStay(view);
            planesStay(view);
            identityIsKeptFirst(manager, view);
        }
    }

    private void epochsGrowAndStayInRange(SimulatedManager manager, TableUpdate update) {
        Tables tables = manager.state.tables();
        boolean inRange = update.leaderEpoch() > 0
                && update.leaderEpoch() <= LEADER_EPOCH_MAX
                && update.fabricEpoch() > 0
                && update.fabricEpoch() <= FABRIC_EPOCH_MAX;
        if (!inRange) {
            site.violated(
                    Law.EPOCHS_GROW_AND_STAY_IN_RANGE,
                    "pushed leader epoch " + update.leaderEpoch() + ", fabric epoch " + update.fabricEpoch());
        }
        TableVersion version = new TableVersion(update.leaderEpoch(), update.fabricEpoch());
        TableVersion before = pushedVersion.getOrDefault(update.guid(), version);
        if (version.compareTo(before) < 0 && manager == site.network.listening) {
            site.violated(
                    Law.EPOCHS_GROW_AND_STAY_IN_RANGE,
                    "pushed version " + version + " to " + site.name(update.guid()) + " after " + before);
        }
        pushedEpoch.merge(update.guid(), update.fabricEpoch(), Math::max);
        pushedVersion.put(update.guid(), version.compareTo(before) < 0 ? before : version);
        if (tables == null || update.fabricEpoch() > tables.epoch()) {
            site.violated(
                    Law.PUSHED_IN_ORDER,
                    "pushed epoch " + update.fabricEpoch() + ", desired is " + (tables == null ? 0 : tables.epoch()));
        }
    }

    private void indicesStay(FabricView view) {
        for (int node = 0; node < view.nodeCount(); node++) {
            long guid = view.nodeGuid(node);
            if (guid != 0) {
                handOver(guid, node);
                Integer before = indexOf.putIfAbsent(guid, node);
                Long owner = ownerOf.putIfAbsent(node, guid);
                if ((before != null && before != node) || (owner != null && owner != guid)) {
                    site.violated(
                            Law.IDENTITY_STAYS,
                            "node " + Long.toHexString(guid) + " has index " + node + ", was " + before
                                    + "; the owner was " + (owner == null ? "nobody" : Long.toHexString(owner)));
                }
            }
        }
    }

    private void levelsStay(FabricView view) {
        for (int s = 0; s < view.switchCount(); s++) {
            boolean linked = view.groupEnd(s) > view.groupStart(s);
            if (view.alive(s) && view.rank(s) >= 0 && linked) {
                Integer before = levelOf.putIfAbsent(view.switchGuid(s), view.rank(s));
                if (before != null && before != view.rank(s)) {
                    site.violated(
                            Law.LEVELS_STAY, view.switchName(s) + " has level " + view.rank(s) + ", was " + before);
                }
            }
        }
    }

    /** Of the switches that groups are ordered by; one that the disk could not keep a number of has none. */
    private void planesStay(FabricView view) {
        for (int s = 0; s < view.switchCount(); s++) {
            if (hasPlane(view, s)) {
                Integer before = planeOf.putIfAbsent(view.switchGuid(s), view.plane(s));
                if (before != null && before != view.plane(s)) {
                    site.violated(
                            Law.IDENTITY_STAYS,
                            view.switchName(s) + " has plane number " + view.plane(s) + ", was " + before);
                }
            }
        }
    }

    /** Not of tables that were computed before it got the number of another one, and leave afterwards. */
    private boolean hasPlane(FabricView view, int s) {
        boolean linked = view.groupEnd(s) > view.groupStart(s);
        boolean before = view.epoch() <= replaced.getOrDefault(view.switchGuid(s), -1L);
        return view.alive(s) && linked && view.rank(s) > 0 && view.plane(s) != Integer.MAX_VALUE && !before;
    }

    private void identityIsKeptFirst(SimulatedManager manager, FabricView view) {
        for (int node = 0; node < view.nodeCount(); node++) {
            long guid = view.nodeGuid(node);
            boolean before = view.epoch() <= handed.getOrDefault(guid, -1L);
            boolean kept = manager.disk.nodeIndex(guid) == node || manager.disk.handedIndex(guid) == node;
            if (guid != 0 && !kept && !before) {
                site.violated(
                        Law.IDENTITY_IS_KEPT_FIRST,
                        "host port " + Long.toHexString(guid) + " has index " + node + " in tables sent, "
                                + manager.disk.nodeIndex(guid) + " on the disk");
            }
        }
        for (int s = 0; s < view.switchCount(); s++) {
            int level = manager.disk.level(view.switchGuid(s));
            boolean linked = view.groupEnd(s) > view.groupStart(s);
            if (view.alive(s) && linked && view.rank(s) >= 0 && level != view.rank(s)) {
                site.violated(
                        Law.IDENTITY_IS_KEPT_FIRST,
                        view.switchName(s) + " has level " + view.rank(s) + " in tables sent, " + level
                                + " on the disk");
            }
            int plane = manager.disk.plane(view.switchGuid(s));
            if (hasPlane(view, s) && plane != view.plane(s)) {
                site.violated(
                        Law.IDENTITY_IS_KEPT_FIRST,
                        view.switchName(s) + " has plane number " + view.plane(s) + " in tables sent, " + plane
                                + " on the disk");
            }
        }
    }

    /** Acked is not above pushed. */
    void took(SimulatedManager manager, FabricEvent event) {
        if (event instanceof TableAcked acked) {
            var record = manager.state.findSwitch(acked.guid());
            long pushed = pushedEpoch.getOrDefault(acked.guid(), 0L);
            if (record != null && acked.fabricEpoch() > pushed) {
                site.violated(
                        Law.PUSHED_IN_ORDER,
                        record.name() + " acked epoch " + acked.fabricEpoch() + ", pushed is " + pushed);
            }
        }
    }

    /** People may have a switch learnt anew, and the index of a host that they forgot be given to another. */
    void performed(SimulatedManager manager, Effect.Done done) {
        if (!(done.command() instanceof ActAsked asked)) {
            return;
        }
        FabricState state = manager.state;
        if (asked.act().replacesSwitch()) {
            switchForgotten(state, asked.act().oldGuid());
        }
        for (Forgettable what : asked.act().forgotten()) {
            if (what instanceof SwitchGuid gone) {
                switchForgotten(state, gone.guid());
            } else if (what instanceof HostPort gone && state.inventory().portOf(gone.portGuid()) == null) {
                Integer index = indexOf.remove(gone.portGuid());
                ownerOf.remove(index == null ? -1 : index);
            }
        }
    }

    /**
     * A host port has the index of another one in views from now on, and in tables once they are sent; at once if nothing is sent for it. A switch has the number of the one
     * whose place it takes.
     */
    void told(SimulatedManager manager, LoggedEvent note) {
        if (note.kind() == LoggedEvent.Kind.SWITCH_REPLACED) {
            planeOf.remove(note.guid());
            replaced.put(note.guid(), note.epoch());
        }
        Matcher guids = GUID.matcher(note.text());
        if (note.kind() != LoggedEvent.Kind.HOST_REPLACED || note.text().startsWith("not") || !guids.find()) {
            return;
        }
        long fresh = Guid.parse(guids.group());
        guids.find();
        long old = Guid.parse(guids.group());
        int index = manager.state.nodeIndex(fresh);
        handed.put(old, note.epoch());
        handed.put(fresh, note.epoch());
        if (indexOf.remove(old, index) && !indexOf.containsKey(fresh)) {
            indexOf.put(fresh, index);
            ownerOf.put(index, fresh);
        }
    }

    /** True if the index of this host port went to another one, or it was given that of another one. */
    boolean isHanded(long portGuid) {
        return handed.containsKey(portGuid);
    }

    private void handOver(long guid, int node) {
        Integer before = indexOf.get(guid);
        if (before != null && before != node && isHanded(guid)) {
            indexOf.remove(guid);
            ownerOf.remove(before, guid);
        }
        Long owner = ownerOf.get(node);
        if (owner != null && owner != guid && isHanded(owner)) {
            ownerOf.remove(node);
            indexOf.remove(owner, node);
        }
    }

    private void switchForgotten(FabricState state, long guid) {
        if (state.findSwitch(guid) == null && !state.inventory().hasSwitch(guid)) {
            levelOf.remove(guid);
            planeOf.remove(guid);
            forgottenSwitches.add(guid);
        }
    }

    /** The agent of this switch came in and counts. */
    void joined(SimulatedManager manager, long guid) {
        joins.putIfAbsent(guid, new Join(manager, site.now()));
    }

    /** One that had no tables accepted in all its life has left no word of who came in to it. */
    void died(SimulatedManager manager) {
        boolean served = manager.state.epochs().stream()
                .anyMatch(epoch -> epoch.verdict().equals("ok"));
        if (!served) {
            joins.values().removeIf(join -> join.manager == manager);
        }
    }

    /** When its agent first came in, before everything if none did. */
    long joinedNanos(long guid) {
        Join join = joins.get(guid);
        return join == null ? Long.MIN_VALUE : join.nanos;
    }

    /** True if people had it forgotten. */
    boolean isForgotten(long guid) {
        return forgottenSwitches.contains(guid);
    }
}
