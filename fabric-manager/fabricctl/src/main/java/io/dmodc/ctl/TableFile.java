package io.dmodc.ctl;

import io.dmodc.routing.opensm.Lids;
import io.dmodc.routing.opensm.OpenSmDump;
import io.dmodc.routing.opensm.OpenSmTables;
import io.dmodc.settings.Reasons;
import io.dmodc.topology.FabricView;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Forwarding tables that somebody wrote to a file. */
final class TableFile {
    private TableFile() {}

    /**
     * Reads a table dump of OpenSM.
     *
     * @throws IOException in one line that names the file
     */
    static OpenSmTables read(String lft, FabricView view, Source source) throws IOException {
        Lids lids = Lids.of(view, source.lids()::lidOf, source.lids()::lmcOf);
        try (BufferedReader in =
                new BufferedReader(new InputStreamReader(Files.newInputStream(Path.of(lft)), StandardCharsets.UTF_8))) {
            return OpenSmDump.read(lft, in, view, lids);
        } catch (IOException e) {
            throw new IOException(lft + ": cannot be read (" + Reasons.of(e) + "); expected a table dump of OpenSM", e);
        }
    }
}
