package io.dmodc.ctl.export;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Names of switches that Slurm takes: letters, digits, {@code . _ -}, no two alike. Other letters become {@code _}; a
 * switch without a name, or with one that is not its own, is called as ibnetdiscover does, {@code S-} and its GUID.
 */
final class SlurmNames {
    private static final int SHOWN_MAX = 60;

    private final FabricView view;
    private final Map<String, Integer> wanted = new HashMap<>();
    private final Set<String> taken = new HashSet<>();

    SlurmNames(FabricView view) {
        this.view = view;
        for (int s = 0; s < view.switchCount(); s++) {
            wanted.merge(legal(view.switchName(s)), 1, Integer::sum);
        }
    }

    /** Words that mean something to Slurm where a name could stand. */
    static boolean isReserved(String name) {
        String upper = name.toUpperCase(Locale.ROOT);
        return upper.equals("DEFAULT") || upper.equals("ALL");
    }

    /** For messages: control characters could garble a terminal, a long text the message. */
    static String shown(String name) {
        String safe = name.replaceAll("\\p{Cntrl}+", " ");
        return safe.length() <= SHOWN_MAX ? safe : safe.substring(0, SHOWN_MAX) + "…";
    }

    private static String legal(String name) {
        return name.strip().replaceAll("[^A-Za-z0-9._-]+", "_").replaceFirst("^[^A-Za-z0-9]+", "");
    }

    /** The name of a switch, the same whenever asked. */
    String of(int s) {
        String name = legal(view.switchName(s));
        boolean own = !name.isEmpty() && !isReserved(name) && wanted.getOrDefault(name, 0) == 1;
        String chosen = own ? name : "S-" + Guid.digits(view.switchGuid(s));
        taken.add(chosen);
        return chosen;
    }

    /** True if the switch keeps the name it has. */
    boolean keeps(int s) {
        return of(s).equals(view.switchName(s));
    }

    /** A name nobody has: {@code tier2-0}, numbered on. */
    String made(int tier) {
        int number = 0;
        String name;
        do {
            name = "tier" + tier + "-" + number++;
        } while (wanted.containsKey(name) || !taken.add(name));
        return name;
    }
}
