package io.dmodc.ctl;

import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.RoutingEngine;
import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.minhop.MinHopEngine;
import io.dmodc.routing.minhop.store.StateFile;
import io.dmodc.routing.minhop.store.StoredRouting;
import io.dmodc.routing.minhop.store.StoredState;
import io.dmodc.settings.Reasons;
import io.dmodc.topology.FabricView;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What {@code route} came to.
 *
 * @param switchTables towards switches, made when asked for; only where {@code result} has tables
 * @param remark for the operator, one line
 */
record Routed(RoutingResult result, Supplier<LftSet> switchTables, Optional<String> remark) {

    static Routed anew(RoutingEngine engine, FabricView view, Parallel parallel) {
        return new Routed(engine.route(view, parallel), () -> engine.routeSwitches(view, parallel), Optional.empty());
    }

    /**
     * Uses the file as far as it holds and writes it again. A file that cannot be used is named and replaced.
     *
     * @throws IllegalArgumentException if the engine keeps nothing
     */
    static Routed withState(RoutingEngine engine, FabricView view, Parallel parallel, String file) throws IOException {
        if (!(engine instanceof MinHopEngine minHop)) {
            throw new IllegalArgumentException(
                    "--state with engine " + engine.name() + ", which keeps nothing; expected minhop or updn");
        }
        String complaint = "";
        StoredState kept = null;
        try {
            kept = read(file);
        } catch (IllegalArgumentException e) {
            complaint = e.getMessage() + "; ";
        }
        StoredRouting routing = StoredRouting.route(minHop, view, kept, parallel);
        if (routing.next() != null) {
            StoredState next = routing.next();
            OutputFile.writeBytes(file, out -> StateFile.write(next, out));
        }
        return new Routed(
                routing.result(),
                () -> Objects.requireNonNull(routing.switchTables()),
                Optional.of((complaint.isEmpty() ? file + ": " : complaint) + routing.remark()));
    }

    private static @Nullable StoredState read(String file) throws IOException {
        Path path = Path.of(file);
        if (!Files.exists(path)) {
            return null;
        }
        try (InputStream in = Files.newInputStream(path)) {
            return StateFile.read(file, in);
        } catch (IOException e) {
            throw new IOException(
                    file + ": cannot be read (" + Reasons.of(e) + "); expected what the last run left", e);
        }
    }
}
