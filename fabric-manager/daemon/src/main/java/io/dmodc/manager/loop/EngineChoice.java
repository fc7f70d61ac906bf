package io.dmodc.manager.loop;

import io.dmodc.routing.Bits64;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.RoutingEngine;
import io.dmodc.routing.check.SurplusEntryRule;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.routing.minhop.MinHop;
import io.dmodc.routing.updown.RootGuids;
import io.dmodc.routing.updown.UpDown;
import io.dmodc.routing.vtftr.SpareMode;
import io.dmodc.routing.vtftr.VtftrEngine;
import java.lang.Thread.UncaughtExceptionHandler;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The engines of a manager, by the names its settings give them: the same names make the same tables.
 *
 * @param engine one of {@link #NAMES}
 * @param fallback {@code minhop} or {@code updn}; {@code null}: none
 * @param rootLines of the file that names the root switches for {@code updn}; {@code null}: it looks for them
 * @param rootSource name of that file, for messages
 */
public record EngineChoice(
        String engine, @Nullable String fallback, @Nullable List<String> rootLines, String rootSource) {
    /** Names of all engines. */
    public static final List<String> NAMES =
            List.of("dmodc", "dmodc-strict", "dmodc-plain", "minhop", "updn", "vtftr", "vtftr-pairwise");

    public EngineChoice {
        rootLines = rootLines == null ? null : List.copyOf(rootLines);
    }

    /**
     * A worker with these engines.
     *
     * @param ender told what ended its thread; {@code null}: whom the process has for that
     * @throws IllegalArgumentException in one line when a name or the list of roots is none
     */
    public RouteWorker worker(int threads, @Nullable UncaughtExceptionHandler ender) {
        return new RouteWorker(this::own, fallbackEngine(), threads, ender);
    }

    /** A computation with these engines. */
    public TableComputation computation(Parallel parallel) {
        return new TableComputation(this::own, fallbackEngine(), parallel);
    }

    /**
     * The engine of this name, and what it may do.
     *
     * @param name empty: that of the settings
     * @throws IllegalArgumentException in one line when there is none
     */
    public CheckedEngine own(String name) {
        return switch (name) {
            case "" -> own(engine);
            case "dmodc" -> new CheckedEngine(Dmodc.standard(), SurplusEntryRule.FORBIDDEN);
            case "dmodc-strict" -> new CheckedEngine(Dmodc.strict(), SurplusEntryRule.FORBIDDEN);
            case "vtftr" -> new CheckedEngine(new VtftrEngine(SpareMode.PAPER), SurplusEntryRule.FORBIDDEN);
            case "vtftr-pairwise" -> new CheckedEngine(new VtftrEngine(SpareMode.PAIRWISE), SurplusEntryRule.FORBIDDEN);
            case "dmodc-plain" -> new CheckedEngine(Dmodc.plain(), SurplusEntryRule.NOTED);
            default -> new CheckedEngine(other(name), SurplusEntryRule.NOTED);
        };
    }

    /**
     * Digest of what makes the tables of this engine, and of the fall-back engine in its place, what they are: other names or roots give another one.
     *
     * @param name empty: that of the settings
     */
    public long basis(String name) {
        String asked = name.isEmpty() ? engine : name;
        long digest = mixed(mixed(0, asked.hashCode()), fallback == null ? 0 : fallback.hashCode());
        List<String> roots = asked.equals("updn") || "updn".equals(fallback) ? rootLines : null;
        return roots == null
                ? digest
                : mixed(digest, RootGuids.parse(rootSource, roots).digest());
    }

    /** Of what there is so far and more. */
    private static long mixed(long digest, long more) {
        return Bits64.mix((digest + Bits64.STEP) ^ more);
    }

    private @Nullable RoutingEngine fallbackEngine() {
        return fallback == null ? null : other(fallback);
    }

    private RoutingEngine other(String name) {
        return switch (name) {
            case "minhop" -> new MinHop();
            case "updn" -> new UpDown(rootLines == null ? null : RootGuids.parse(rootSource, rootLines));
            default ->
                throw new IllegalArgumentException(
                        "engine '" + name + "'; expected one of " + String.join(", ", NAMES));
        };
    }
}
