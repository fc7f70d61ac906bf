package io.dmodc.routing.engines;

import io.dmodc.routing.RoutingEngine;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.routing.dmodk.Dmodk;
import io.dmodc.routing.ftree.Ftree;
import io.dmodc.routing.minhop.MinHop;
import io.dmodc.routing.updown.RootGuids;
import io.dmodc.routing.updown.UpDown;
import io.dmodc.topology.pgft.PgftShape;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The engines by the names operators use. */
public final class Engines {
    /** What is used when nobody chooses. */
    public static final String DEFAULT = "dmodc";

    private static final List<String> NAMES =
            List.of("dmodc", "dmodc-strict", "dmodc-plain", "dmodk", "minhop", "updn", "ftree");

    private Engines() {}

    /** All names, the default first. */
    public static List<String> names() {
        return NAMES;
    }

    /**
     * Finds an engine.
     *
     * @param design the PGFT the fabric is meant to be, if known; {@code dmodk} needs it, others ignore it
     * @throws IllegalArgumentException in one line, when the name is unknown or the design is missing
     */
    public static RoutingEngine named(String name, @Nullable PgftShape design) {
        return named(name, design, null);
    }

    /**
     * Finds an engine.
     *
     * @param design as above
     * @param roots the root switches, if they are known; only {@code updn} and {@code ftree} ask for them
     * @throws IllegalArgumentException in one line, when the name is unknown or the design is missing
     */
    public static RoutingEngine named(String name, @Nullable PgftShape design, @Nullable RootGuids roots) {
        return switch (name) {
            case "dmodc" -> Dmodc.standard();
            case "dmodc-strict" -> Dmodc.strict();
            case "dmodc-plain" -> Dmodc.plain();
            case "dmodk" -> new Dmodk(required(design));
            case "minhop" -> new MinHop();
            case "updn" -> new UpDown(roots);
            case "ftree" -> new Ftree(roots);
            default ->
                throw new IllegalArgumentException(
                        "engine '" + name + "' is unknown; expected one of " + String.join(", ", NAMES));
        };
    }

    private static PgftShape required(@Nullable PgftShape design) {
        if (design == null) {
            throw new IllegalArgumentException("engine 'dmodk' needs a design: the PGFT shape of the whole fabric");
        }
        return design;
    }
}
