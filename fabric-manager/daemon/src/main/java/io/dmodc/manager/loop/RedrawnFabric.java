package io.dmodc.manager.loop;

import io.dmodc.manager.core.Act;
import io.dmodc.manager.core.Act.HostPair;
import io.dmodc.manager.core.Forgettable;
import io.dmodc.manager.core.Forgettable.HostPort;
import io.dmodc.manager.core.Forgettable.SwitchGuid;
import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchForgotten;
import io.dmodc.topology.FabricChange.SwitchSeen;
import io.dmodc.topology.FabricChange.SwitchState;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.Host;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.PlaneNumbers;
import java.util.function.LongToIntFunction;

/**
 * What a view was drawn from, as far as it shows it, to be changed and drawn again: same hosts, same indices, same ranks, same
 * planes.
 */
final class RedrawnFabric {
    private final FabricViewBuilder fabric = new FabricViewBuilder();
    private final GuidNumbers levels = new GuidNumbers();
    private final FabricView view;
    private final NodeIndexMap nodes;
    private final PlaneNumbers planes;

    RedrawnFabric(FabricView view) {
        this.view = view;
        nodes = NodeIndexMap.of(view);
        planes = PlaneNumbers.of(view);
        for (int s = 0; s < view.switchCount(); s++) {
            fabric.apply(new SwitchSeen(view.switchGuid(s), view.switchName(s), view.portCount(s)));
            if (view.rank(s) >= 0) {
                levels.put(view.switchGuid(s), view.rank(s));
            }
        }
        for (int s = 0; s < view.switchCount(); s++) {
            for (int port = 1; port <= view.portCount(s); port++) {
                connect(s, port);
            }
            if (!view.alive(s)) {
                fabric.apply(new SwitchState(view.switchGuid(s), false));
            }
        }
    }

    private void connect(int s, int port) {
        int node = view.peerNode(s, port);
        Host host = node < 0 ? null : view.host(node);
        if (view.cabledSwitch(s, port) >= 0) {
            setUp(s, port, view.peerSwitch(s, port) >= 0);
        } else if (host != null) {
            fabric.apply(new PortSeen(view.switchGuid(s), port, true, new ToHost(host)));
        }
    }

    /** One end of a cable. */
    void setUp(int s, int port, boolean up) {
        ToSwitch to = new ToSwitch(view.switchGuid(view.cabledSwitch(s, port)), view.cabledPort(s, port));
        fabric.apply(new PortSeen(view.switchGuid(s), port, up, to));
    }

    /** Draws it as it is now. */
    FabricView draw() {
        return planes.number(fabric.buildByLevels(view.epoch(), nodes, levels));
    }

    /**
     * A view as it is drawn once something is forgotten or replaced; the view itself when that makes no difference. A new switch that is no
     * part of it yet stays none: nothing leads there.
     *
     * @param nodeIndex of a host port that is known, seen or not; −1 for others
     */
    static FabricView after(Act act, FabricView works, LongToIntFunction nodeIndex) {
        RedrawnFabric drawn = new RedrawnFabric(works);
        boolean changed = false;
        if (act.replacesSwitch()) {
            changed = drawn.replace(act.oldGuid(), act.newGuid());
        }
        for (HostPair pair : act.replacedHosts()) {
            changed |= drawn.replaceHost(pair, nodeIndex.applyAsInt(pair.oldGuid()));
        }
        for (Forgettable what : act.forgotten()) {
            changed |= what instanceof SwitchGuid it
                    ? drawn.forgetSwitch(it.guid())
                    : what instanceof HostPort host && drawn.forgetHost(host.portGuid());
        }
        return changed ? drawn.draw() : works;
    }

    private boolean replace(long oldGuid, long newGuid) {
        int level = levels.getOrDefault(oldGuid, FabricView.UNRANKED);
        if (level >= 0 && fabric.knows(newGuid)) {
            levels.put(newGuid, level);
        }
        planes.handOver(oldGuid, newGuid);
        return forgetSwitch(oldGuid);
    }

    private boolean forgetSwitch(long guid) {
        levels.remove(guid);
        planes.forget(guid);
        return fabric.apply(new SwitchForgotten(guid));
    }

    /** A new host that is nowhere yet is where the old one is remembered. */
    private boolean replaceHost(HostPair pair, int index) {
        int known = nodes.indexOf(pair.oldGuid());
        int s = known < 0 ? -1 : view.nodeSwitch(known);
        Host host = known < 0 ? null : view.host(known);
        if (s >= 0 && host != null) {
            ToHost far = nodes.knows(pair.newGuid()) ? null : new ToHost(host.replacedBy(pair.newGuid()));
            fabric.apply(new PortSeen(view.switchGuid(s), view.nodePort(known), far != null, far));
        }
        boolean there = nodes.knows(pair.newGuid());
        nodes.put(pair.oldGuid(), index);
        nodes.handOver(pair.oldGuid(), pair.newGuid());
        return there || s >= 0;
    }

    private boolean forgetHost(long portGuid) {
        int node = nodes.indexOf(portGuid);
        if (node < 0) {
            return false;
        }
        nodes.forget(portGuid);
        int s = view.nodeSwitch(node);
        return s >= 0 && fabric.apply(new PortSeen(view.switchGuid(s), view.nodePort(node), false, null));
    }
}
