package io.dmodc.routing.quality;

import io.dmodc.routing.quality.PortStage.Direction;
import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The live ports between switches, each a channel with a dense index.
 *
 * <p>Channels are ordered by stage, then switch, then port: those of stage i are {@code start[i] .. start[i + 1]}, so
 * that the highest load of a stage is one pass over neighbouring counters. {@code channel[s << 8 | port]} finds them
 * for any byte of a table, −1 where no live link to a switch is: 1 KiB per switch.
 */
final class Channels {
    final FabricView view;
    final int[] channel;
    /** Switch a channel leads to. */
    final int[] peer;
    /** {@code s << 8 | port} of a channel. */
    final int[] place;

    final int[] start;
    /** Stages of the channels; without the one of ports to hosts. */
    final List<PortStage> stages;

    Channels(FabricView view) {
        this.view = view;
        int[] stageOf = new int[view.switchCount() << 8];
        Arrays.fill(stageOf, -1);
        int stageMax = 2 * Math.max(0, view.rankMax()) + 1;
        int[] count = new int[stageMax];
        for (int s = 0; s < view.switchCount(); s++) {
            for (int port = 1; port <= view.portCount(s); port++) {
                int remote = view.peerSwitch(s, port);
                if (remote >= 0) {
                    int stage = stage(view, s, remote, stageMax);
                    stageOf[s << 8 | port] = stage;
                    count[stage]++;
                }
            }
        }
        stages = stages(count);
        start = new int[stages.size() + 1];
        for (int i = 0; i < stages.size(); i++) {
            start[i + 1] = start[i] + stages.get(i).ports();
        }
        place = new int[start[stages.size()]];
        peer = new int[place.length];
        channel = stageOf;
        number(firstOf(count));
    }

    /** Packets' way: up from rank 0, 1, …, then down to …, 1, 0, then what is neither. */
    private static int stage(FabricView view, int s, int remote, int stageMax) {
        if (view.isUp(s, remote)) {
            return view.rank(s);
        }
        return view.isDown(s, remote) ? stageMax - 1 - view.rank(s) : stageMax - 1;
    }

    private static List<PortStage> stages(int[] count) {
        int ranks = count.length / 2;
        List<PortStage> stages = new ArrayList<>();
        for (int stage = 0; stage < count.length; stage++) {
            if (count[stage] == 0) {
                continue;
            }
            int down = count.length - 1 - stage;
            stages.add(
                    stage < ranks
                            ? new PortStage(Direction.UP, stage, stage + 1, count[stage])
                            : down > 0
                                    ? new PortStage(Direction.DOWN, down, down - 1, count[stage])
                                    : new PortStage(Direction.ACROSS, -1, -1, count[stage]));
        }
        return List.copyOf(stages);
    }

    private static int[] firstOf(int[] count) {
        int[] first = new int[count.length];
        for (int stage = 1; stage < count.length; stage++) {
            first[stage] = first[stage - 1] + count[stage - 1];
        }
        return first;
    }

    /** Turns the stage kept at each place into the channel's index. */
    private void number(int[] next) {
        for (int at = 0; at < channel.length; at++) {
            if (channel[at] >= 0) {
                int index = next[channel[at]]++;
                channel[at] = index;
                place[index] = at;
                peer[index] = view.peerSwitch(at >> 8, at & 0xff);
            }
        }
    }

    int count() {
        return place.length;
    }

    /** Index into {@link #stages}. */
    int stageOf(int index) {
        int stage = 0;
        while (index >= start[stage + 1]) {
            stage++;
        }
        return stage;
    }
}
