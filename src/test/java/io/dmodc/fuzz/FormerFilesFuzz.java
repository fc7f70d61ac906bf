package io.dmodc.fuzz;

import io.dmodc.manager.state.StoredState;
import io.dmodc.manager.store.StateStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Files in which releases before the store kept state; the first byte says which one it is. */
public final class FormerFilesFuzz {
    private static final List<String> NAMES = List.of("node-map", "levels", "leader-epoch", "inventory");
    private static final List<String> TEXTS = List.of(
            "0x0000000000000011 0\n0x0000000000000012 3\n",
            "links 1\n0x0000000000000001 0\n0x0000000000000002 1\n",
            "41\n",
            """
            +switch 0x0000000000000001 4 leaf0
            +switch 0x0000000000000003 4 gone
            +link 0x0000000000000001 3 0x0000000000000002 1
            +switch 0x0000000000000002 4 spine with a name
            +host 0x0000000000000001 1 0x0000000000000011 0x0000000000000010 1 node0 HCA-1
            =
            -switch 0x0000000000000003 4 gone
            +alarm 5 1700000000000 9 link 0x0000000000000001 3
            +last-alarm 6
            =
            -switch 0x0000000000000001 4 leaf0
            """);

    private FormerFilesFuzz() {}

    static List<byte[]> seeds() {
        return NAMES.stream()
                .map(name -> NAMES.indexOf(name))
                .map(file -> AnyFuzz.of(file, TEXTS.get(file).getBytes(StandardCharsets.UTF_8)))
                .toList();
    }

    public static void fuzzerTestOneInput(byte[] data) throws IOException {
        if (data.length == 0 || data[0] < 0 || data[0] >= NAMES.size()) {
            return;
        }
        Path directory = Scratch.directory();
        Path file = directory.resolve(NAMES.get(data[0]));
        Scratch.write(file, data, 1);
        StoredState state;
        try {
            state = StateStore.read(directory);
        } catch (IllegalArgumentException refused) {
            OneLine.require(refused, "");
            if (!String.valueOf(refused.getMessage()).contains(directory.toString())) {
                throw new IllegalStateException("names no file", refused);
            }
            return;
        } finally {
            Files.delete(file);
        }
        if (state != null) {
            // So it is one that an import would take, and those are started from.
            Restart.requireKept(state);
        }
    }
}
