package io.dmodc.routing.updown;

import io.dmodc.routing.Bits64;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import io.dmodc.topology.Host;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Root switches named by an operator, as in OpenSM's root GUID file: a GUID at the start of each line, the rest of the
 * line is not read, {@code #} starts a comment. The GUID of a host or of its port stands for the switches it is cabled
 * to. Immutable.
 */
public final class RootGuids {
    /** Most GUIDs a list has. */
    public static final int GUIDS_MAX = 65_536;

    private final Set<Long> guids;

    private RootGuids(Set<Long> guids) {
        this.guids = guids;
    }

    /**
     * Reads a list.
     *
     * @param source file name for messages
     * @throws IllegalArgumentException in one line: source, line number, what was expected
     */
    public static RootGuids parse(String source, List<String> lines) {
        Set<Long> guids = new LinkedHashSet<>();
        for (int i = 0; i < lines.size(); i++) {
            String text = lines.get(i).split("#", 2)[0].strip();
            if (!text.isEmpty()) {
                guids.add(guid(source + ":" + (i + 1) + ": ", text.split("\\s+", 2)[0]));
            }
            if (guids.size() > GUIDS_MAX) {
                throw new IllegalArgumentException(source + ":" + (i + 1) + ": more than " + GUIDS_MAX
                        + " GUIDs; expected a list of root switches");
            }
        }
        return new RootGuids(guids);
    }

    private static long guid(String where, String word) {
        try {
            return Guid.parse(word);
        } catch (IllegalArgumentException e) {
            String shown = word.length() <= 40 ? word : word.substring(0, 40) + "…";
            throw new IllegalArgumentException(where + "'" + shown + "'; expected the GUID of a root switch", e);
        }
    }

    /** The same for the same GUIDs in whatever order and text, and hardly ever for others. */
    public long digest() {
        long sum = guids.size();
        for (long guid : guids) {
            sum += Bits64.mix(guid);
        }
        return sum;
    }

    /** Indices of the live switches of a view that are meant. */
    public BitSet switches(FabricView view) {
        Map<Long, BitSet> byHost = switchesByHost(view);
        BitSet roots = new BitSet();
        for (long guid : guids) {
            int s = view.switchOf(guid);
            if (s >= 0) {
                roots.set(s);
            } else if (byHost.containsKey(guid)) {
                roots.or(byHost.get(guid));
            }
        }
        roots.stream().filter(s -> !view.alive(s)).forEach(roots::clear);
        return roots;
    }

    /** GUIDs of the list that nothing in a view has, in order. OpenSM passes over them in silence. */
    public List<Long> unknownIn(FabricView view) {
        Map<Long, BitSet> byHost = switchesByHost(view);
        List<Long> unknown = new ArrayList<>(guids);
        unknown.removeIf(guid -> view.switchOf(guid) >= 0 || byHost.containsKey(guid));
        return unknown;
    }

    private static Map<Long, BitSet> switchesByHost(FabricView view) {
        Map<Long, BitSet> byHost = new HashMap<>();
        for (int node = 0; node < view.nodeCount(); node++) {
            Host host = view.host(node);
            if (host != null && view.nodeSwitch(node) >= 0) {
                byHost.computeIfAbsent(host.hostGuid(), guid -> new BitSet()).set(view.nodeSwitch(node));
                byHost.computeIfAbsent(host.portGuid(), guid -> new BitSet()).set(view.nodeSwitch(node));
            }
        }
        return byHost;
    }
}
