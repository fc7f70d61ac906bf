package io.dmodc.routing.vtftr;

import io.dmodc.routing.TurnTableSet;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.grid.GridPlace;
import java.util.Arrays;

/** The entries of a row before those of destinations: classes of ports, and on which channel what came by a class goes on. */
final class TurnRowHeader {
    private final byte[] entries = new byte[TurnTableSet.HEADER];

    TurnRowHeader(FabricView view, int s, GridPlace place, SwitchPorts ports) {
        Arrays.fill(entries, (byte) TurnTableSet.NONE);
        put(0, TurnTableSet.CLASSES);
        put(TurnTableSet.CHANNEL_MAP - 1, TurnTableSet.CHANNELS);
        for (int port = 1; port <= view.portCount(s); port++) {
            if (view.peerNode(s, port) >= 0) {
                put(port, TurnTableSet.CLASS_HOST);
            }
        }
        boolean leaf = place.kind() == GridPlace.Kind.LEAF;
        putClass(ports.row(), leaf ? TurnTableSet.CLASS_ROW : TurnTableSet.CLASS_HOST);
        putClass(ports.column(), leaf ? TurnTableSet.CLASS_COLUMN : TurnTableSet.CLASS_HOST);
        putChannels(place.kind());
    }

    /** {@link TurnTableSet#HEADER} of them. */
    byte[] entries() {
        return entries;
    }

    private void put(int entry, int value) {
        entries[entry] = (byte) value;
    }

    private void putClass(byte[][] all, int inputClass) {
        for (byte[] some : all) {
            for (byte port : some) {
                put(port & 0xff, inputClass);
            }
        }
    }

    private void putChannels(GridPlace.Kind kind) {
        if (kind == GridPlace.Kind.LEAF) {
            putChannel(TurnTableSet.CLASS_HOST, 0, VcMap.next(InputClass.HOST, 0, Turn.ROW));
            for (int vc = 0; vc < VcMap.VC_COUNT; vc++) {
                putChannel(TurnTableSet.CLASS_ROW, vc, VcMap.next(InputClass.ROW, vc, Turn.COLUMN));
                putChannel(TurnTableSet.CLASS_COLUMN, vc, VcMap.next(InputClass.COLUMN, vc, Turn.ROW));
            }
        } else if (kind != GridPlace.Kind.UNPLACED) {
            for (int vc = 0; vc < VcMap.VC_COUNT; vc++) {
                putChannel(TurnTableSet.CLASS_HOST, vc, vc);
            }
        }
    }

    private void putChannel(int inputClass, int vc, int next) {
        put(
                TurnTableSet.CHANNEL_MAP + TurnTableSet.CHANNELS * inputClass + vc,
                next == VcMap.DROP ? TurnTableSet.NONE : next);
    }
}
