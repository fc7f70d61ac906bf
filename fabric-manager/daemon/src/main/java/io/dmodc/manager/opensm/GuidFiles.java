package io.dmodc.manager.opensm;

import io.dmodc.settings.Reasons;
import io.dmodc.subnet.OpenSmSettings;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Files beside the dump that OpenSM's own engines and its next start want, where the settings ask for them: the LIDs as they are
 * dealt, the top switches, the ports of hosts. Written when they differ from what is there; of those that cannot be people are told until they are. For one thread.
 */
final class GuidFiles {
    private final @Nullable Path guid2lid;
    private final @Nullable Path roots;
    private final @Nullable Path nodes;
    private final Troubles troubles;

    GuidFiles(OpenSmSettings settings, Troubles troubles) {
        this.troubles = troubles;
        guid2lid = settings.guid2lid();
        roots = settings.roots();
        nodes = settings.nodes();
    }

    /** @return false if one of them cannot be written */
    boolean write(FabricView view, Discovery found) {
        String failures = Stream.of(
                        put(guid2lid, () -> lids(view, found)),
                        put(roots, () -> roots(view)),
                        put(nodes, () -> hosts(view)))
                .filter(each -> !each.isEmpty())
                .collect(Collectors.joining("; "));
        troubles.set(
                Troubles.Kind.GUID_FILES,
                failures.isEmpty() ? "" : failures + "; OpenSM reads what was there before; tried again every second");
        return failures.isEmpty();
    }

    private interface Text {
        String get();
    }

    /** @return why it cannot be written, for people; else empty */
    private static String put(@Nullable Path path, Text text) {
        if (path == null) {
            return "";
        }
        DumpFile file = new DumpFile(path);
        List<byte[]> bytes = List.of(text.get().getBytes(StandardCharsets.US_ASCII));
        try {
            if (!file.holds(bytes)) {
                file.discardLeft();
                file.write(bytes);
            }
            return "";
        } catch (IOException e) {
            return path + " cannot be written: " + Reasons.of(e);
        }
    }

    private static String lids(FabricView view, Discovery found) {
        StringBuilder text = new StringBuilder();
        for (long guid : guids(view)) {
            int lid = found.lids().lidOf(guid);
            if (lid != 0) {
                int last = lid + (1 << found.lids().lmcOf(guid)) - 1;
                text.append(String.format(Locale.ROOT, "%s 0x%04x 0x%04x\n\n", Guid.format(guid), lid, last));
            }
        }
        return text.toString();
    }

    private static SortedSet<Long> guids(FabricView view) {
        SortedSet<Long> guids = new TreeSet<>(Long::compareUnsigned);
        for (int s = 0; s < view.switchCount(); s++) {
            guids.add(view.switchGuid(s));
        }
        for (int node = 0; node < view.nodeCount(); node++) {
            if (view.host(node) != null) {
                guids.add(view.nodeGuid(node));
            }
        }
        return guids;
    }

    /** Of each part its highest; a switch that lost all its cables is in none. */
    private static String roots(FabricView view) {
        int[] top = new int[view.partCount()];
        for (int s = 0; s < view.switchCount(); s++) {
            if (view.part(s) >= 0) {
                top[view.part(s)] = Math.max(top[view.part(s)], view.rank(s));
            }
        }
        StringBuilder text = new StringBuilder();
        for (int s = 0; s < view.switchCount(); s++) {
            if (view.part(s) >= 0 && view.rank(s) > 0 && view.rank(s) == top[view.part(s)]) {
                text.append(Guid.format(view.switchGuid(s))).append('\n');
            }
        }
        return text.toString();
    }

    private static String hosts(FabricView view) {
        StringBuilder text = new StringBuilder();
        for (int node = 0; node < view.nodeCount(); node++) {
            if (view.isHost(node)) {
                text.append(Guid.format(view.nodeGuid(node))).append('\n');
            }
        }
        return text.toString();
    }
}
