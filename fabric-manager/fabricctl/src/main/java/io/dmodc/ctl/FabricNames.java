package io.dmodc.ctl;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import io.dmodc.topology.Host;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Finds the switches and nodes that people mean, as a manager does; O(switches) and O(nodes). */
final class FabricNames {
    private static final int INDEX_DIGITS_MAX = 9;

    private FabricNames() {}

    /**
     * Finds a switch: {@code 0x…} is a GUID; anything else a name first, and only where no switch is called so, a GUID without its
     * {@code 0x}.
     *
     * @throws IllegalArgumentException in one line when there is none, or more than one
     */
    static int switchIndex(FabricView view, String text) {
        int[] called = matching(view.switchCount(), s -> view.switchName(s).equals(text));
        if (called.length > 0 && !isGuid(text)) {
            return only(called, "switches", text, s -> Guid.format(view.switchGuid(s)), "GUID");
        }
        int s = isGuid(text) || text.matches("[0-9a-fA-F]{1,16}") ? view.switchOf(Guid.parse(text)) : -1;
        if (s < 0) {
            throw new IllegalArgumentException(
                    "no switch '" + text + "' in the fabric; a name or 0x… GUID is expected");
        }
        return s;
    }

    /**
     * Finds a switch, or where there is none so called the switch of a node.
     *
     * @throws IllegalArgumentException in one line when there is neither, more than one, or the node has no host at present
     */
    static int switchOrHome(FabricView view, String text) {
        boolean isSwitch = isGuid(text)
                ? view.switchOf(Guid.parse(text)) >= 0
                : matching(view.switchCount(), s -> view.switchName(s).equals(text)).length > 0;
        int home = isSwitch ? switchIndex(view, text) : view.nodeSwitch(node(view, "switch or node", text));
        if (home < 0) {
            throw new IllegalArgumentException("node '" + text + "' has no host at present; expected one that has");
        }
        return home;
    }

    /**
     * Finds a node: digits are an index, {@code 0x…} is the GUID of a port or an adapter, anything else a name.
     *
     * @throws IllegalArgumentException in one line when there is none, or more than one
     */
    static int node(FabricView view, String text) {
        return node(view, "node", text);
    }

    private static int node(FabricView view, String kind, String text) {
        if (text.matches("\\d{1," + INDEX_DIGITS_MAX + "}")) {
            int index = Integer.parseInt(text);
            if (index >= view.nodeCount()) {
                throw new IllegalArgumentException("no node with index " + index + "; expected one of 0.."
                        + (view.nodeCount() - 1) + ", a name or 0x… GUID");
            }
            return index;
        }
        long guid = isGuid(text) ? Guid.parse(text) : 0;
        int[] meant = matching(view.nodeCount(), node -> isMeant(view.host(node), text, guid));
        if (meant.length == 0) {
            throw new IllegalArgumentException(
                    "no " + kind + " '" + text + "' in the fabric; an index, name or 0x… GUID is expected");
        }
        return only(meant, "nodes", text, Integer::toString, "index");
    }

    private static boolean isMeant(@Nullable Host host, String text, long guid) {
        return host != null
                && (guid == 0 ? host.name().equals(text) : host.portGuid() == guid || host.hostGuid() == guid);
    }

    private static boolean isGuid(String text) {
        return text.startsWith("0x") || text.startsWith("0X");
    }

    private static int[] matching(int count, IntPredicate wanted) {
        return IntStream.range(0, count).filter(wanted).toArray();
    }

    private static int only(int[] found, String kind, String text, IntFunction<String> unlike, String give) {
        if (found.length > 1) {
            throw new IllegalArgumentException(found.length + " " + kind + " are called '" + text + "': "
                    + IntStream.of(found).limit(8).mapToObj(unlike).collect(Collectors.joining(", ")) + "; give the "
                    + give);
        }
        return found[0];
    }
}
