package io.dmodc.routing.vtftr.traffic;

import io.dmodc.routing.cycles.PacketRouting;
import io.dmodc.routing.vtftr.InputClass;
import io.dmodc.routing.vtftr.Turn;
import io.dmodc.routing.vtftr.VcMap;

/**
 * Packets of a grid under VTFTR: leaves turn them by where they came from and change their class of virtual channels where
 * {@link VcMap} says so; roots send them to the primary leaf, or draw one of the live spares for each packet anew. Safe for
 * threads.
 */
public final class TurnRouting implements PacketRouting {
    private final TurnForwarding switches;
    private final VcClasses classes;
    private final int all;

    public TurnRouting(TurnForwarding switches, VcClasses classes) {
        this.switches = switches;
        this.classes = classes;
        this.all = PacketRouting.allVcs(classes.total());
    }

    /** Those of the normal class. */
    @Override
    public int injectionVcs() {
        return classes.mask(0);
    }

    @Override
    public int route(int s, int inputPort, int vc, int node, int random) {
        int destination = switches.leafOfNode(node);
        if (destination < 0) {
            return DROP;
        }
        int leaf = switches.leafOf(s);
        if (leaf >= 0) {
            return atLeaf(s, leaf, inputPort, vc, destination, node);
        }
        return switches.isRoot(s) ? atRoot(s, inputPort, vc, destination, random) : DROP;
    }

    private int atLeaf(int s, int leaf, int inputPort, int vc, int destination, int node) {
        InputClass from = switches.inputClass(s, inputPort);
        Turn turn = switches.turn(from, leaf, destination);
        if (turn == Turn.DELIVER) {
            return PacketRouting.answer(switches.view().nodePort(node), all);
        }
        int next = turn == Turn.NONE ? VcMap.DROP : VcMap.next(from, classes.classOf(vc), turn);
        int port = next == VcMap.DROP ? 0 : switches.rootPort(leaf, turn, destination, node);
        return port == 0 ? DROP : PacketRouting.answer(port, classes.mask(next));
    }

    private int atRoot(int s, int inputPort, int vc, int destination, int random) {
        int choices = switches.choices(s, inputPort, destination);
        if (choices == 0) {
            return DROP;
        }
        int drawn = (int) (((random & 0xffff_ffffL) * choices) >>> Integer.SIZE);
        return PacketRouting.answer(
                switches.choice(s, inputPort, destination, drawn), classes.mask(classes.classOf(vc)));
    }
}
