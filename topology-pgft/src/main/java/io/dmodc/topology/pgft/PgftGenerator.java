package io.dmodc.topology.pgft;

import io.dmodc.topology.FabricChange.PortSeen;
import io.dmodc.topology.FabricChange.SwitchSeen;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.GeneratedGuids;
import io.dmodc.topology.Host;
import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * Generates a whole PGFT.
 *
 * <p>Switches are numbered level by level from the leaves, digit 1 least significant: a switch of level l has the
 * digits b_1..b_l (which of the w parents) and a_{l+1}..a_h (which of the m subtrees). Ports are interleaved: down port
 * {@code 1 + a + k·m_l} leads to child a over parallel link k, up port {@code 1 + m_l·p_l + b + k·w_{l+1}} to parent b.
 * Only with that numbering is "port p" of Dmodk's formula the physical port. Leaf i owns nodes
 * {@code i·m_1 .. i·m_1 + m_1 − 1}. GUIDs ascend in switch order unless shuffled.
 */
public final class PgftGenerator {
    private final PgftShape shape;
    private final long[] guid;
    private final int[] levelBase;

    private PgftGenerator(PgftShape shape, long[] guid) {
        this.shape = shape;
        this.guid = guid;
        levelBase = new int[shape.levels() + 2];
        for (int level = 1; level <= shape.levels(); level++) {
            levelBase[level + 1] = levelBase[level] + shape.switchCount(level);
        }
    }

    /** The whole fabric with ascending GUIDs. */
    public static FabricViewBuilder generate(PgftShape shape) {
        return new PgftGenerator(shape, GeneratedGuids.ascending(shape.switchCount())).build();
    }

    /** The same fabric with switch GUIDs dealt out in random order: what a real one looks like. */
    public static FabricViewBuilder generateShuffled(PgftShape shape, RandomGenerator random) {
        return new PgftGenerator(shape, GeneratedGuids.shuffled(shape.switchCount(), random)).build();
    }

    private FabricViewBuilder build() {
        FabricViewBuilder fabric = new FabricViewBuilder();
        for (int level = 1; level <= shape.levels(); level++) {
            for (int i = 0; i < shape.switchCount(level); i++) {
                String name = level == 1 ? "leaf" + i : "l" + level + "s" + i;
                fabric.apply(new SwitchSeen(guid(level, i), name, shape.portCount(level)));
            }
        }
        for (int leaf = 0; leaf < shape.switchCount(1); leaf++) {
            cableHosts(fabric, leaf);
        }
        for (int level = 2; level <= shape.levels(); level++) {
            for (int i = 0; i < shape.switchCount(level); i++) {
                cableChildren(fabric, level, i);
            }
        }
        return fabric;
    }

    private void cableHosts(FabricViewBuilder fabric, int leaf) {
        for (int a = 0; a < shape.m(1); a++) {
            int node = leaf * shape.m(1) + a;
            Host host = GeneratedGuids.host(node);
            fabric.apply(new PortSeen(guid(1, leaf), 1 + a, true, new ToHost(host)));
        }
    }

    private void cableChildren(FabricViewBuilder fabric, int level, int i) {
        int[] digits = digits(level, i);
        int ownDigit = digits[level - 1];
        for (int a = 0; a < shape.m(level); a++) {
            int[] childDigits = Arrays.copyOf(digits, digits.length);
            childDigits[level - 1] = a;
            int child = index(level - 1, childDigits);
            for (int k = 0; k < shape.p(level); k++) {
                int down = 1 + a + k * shape.m(level);
                int up = 1 + shape.downPortCount(level - 1) + ownDigit + k * shape.w(level);
                long parentGuid = guid(level, i);
                long childGuid = guid(level - 1, child);
                fabric.apply(new PortSeen(parentGuid, down, true, new ToSwitch(childGuid, up)));
                fabric.apply(new PortSeen(childGuid, up, true, new ToSwitch(parentGuid, down)));
            }
        }
    }

    /** Digit k (at k − 1): below w_k up to the switch's own level, below m_k above it. */
    private int[] digits(int level, int i) {
        int[] digits = new int[shape.levels()];
        int rest = i;
        for (int k = 1; k <= shape.levels(); k++) {
            int base = k <= level ? shape.w(k) : shape.m(k);
            digits[k - 1] = rest % base;
            rest /= base;
        }
        return digits;
    }

    private int index(int level, int[] digits) {
        int index = 0;
        for (int k = shape.levels(); k >= 1; k--) {
            index = index * (k <= level ? shape.w(k) : shape.m(k)) + digits[k - 1];
        }
        return index;
    }

    private long guid(int level, int i) {
        return guid[levelBase[level] + i];
    }
}
