package io.dmodc.e2e;

import io.dmodc.e2e.TrialFabric.Damage;
import io.dmodc.e2e.TrialFabric.TrialCable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.function.Predicate;

/** What happens to a fabric of processes: cables and hosts are pulled and plugged in again, switches lose power, agents start anew. */
final class TrialFaults {
    /** Of switches that have power. */
    private static final int CABLES_OUT_MAX = 5;

    private static final int HOSTS_OUT_MAX = 2;
    private static final int DEAD_MAX = 2;

    private enum Kind {
        CABLE_OUT,
        CABLES_OUT,
        CABLE_BACK,
        HOST_OUT,
        HOST_BACK,
        POWER_OFF,
        POWER_ON,
        REBOOT
    }

    /** Does what may fail when files cannot be written. */
    private interface Act {
        void run() throws IOException;
    }

    /**
     * Something that has not happened yet.
     *
     * @param text for people
     * @param withoutTable switches that lose their table by it
     */
    record Fault(String text, Set<Long> withoutTable, Act act) {
        void happens() throws IOException {
            act.run();
        }
    }

    private final ProcessSite site;
    private final TrialFabric fabric;
    private final Set<TrialCable> out = new HashSet<>();
    private final Set<Long> dead = new TreeSet<>();
    private final Set<TrialCable> unseen = new HashSet<>();

    TrialFaults(ProcessSite site) {
        this.site = site;
        fabric = site.fabric();
    }

    /** How the fabric is now: cables of switches without power are out, too. */
    Damage damage() {
        Set<TrialCable> all = new HashSet<>(out);
        for (TrialCable cable : fabric.cables()) {
            if (dead.stream().anyMatch(cable::touches)) {
                all.add(cable);
            }
        }
        return new Damage(all, dead, unseen);
    }

    /**
     * How the fabric can have looked to a manager since it was like this: with each part of the cables that changed, and the loss or the
     * return of a switch noticed or not.
     */
    Set<Damage> states(Damage before) {
        Damage now = damage();
        List<TrialCable> changed = fabric.cables().stream()
                .filter(cable -> before.out().contains(cable) != now.out().contains(cable))
                .toList();
        Set<Damage> states = new HashSet<>();
        for (int part = 0; part < 1 << changed.size(); part++) {
            Set<TrialCable> noticed = new HashSet<>(before.out());
            for (int i = 0; i < changed.size(); i++) {
                if ((part >> i & 1) != 0 && !noticed.remove(changed.get(i))) {
                    noticed.add(changed.get(i));
                }
            }
            for (Set<TrialCable> without : List.of(before.unseen(), now.unseen())) {
                states.add(new Damage(noticed, before.dead(), without));
                states.add(new Damage(noticed, now.dead(), without));
            }
        }
        return states;
    }

    /** Chooses what happens next. */
    Fault next(SplittableRandom random) {
        List<Kind> possible = new ArrayList<>(List.of(Kind.REBOOT));
        long hosts = out.stream().filter(TrialCable::toHost).count();
        long cables = out.size() - hosts;
        addIf(cables < CABLES_OUT_MAX, possible, Kind.CABLE_OUT, Kind.CABLES_OUT);
        addIf(cables > 0, possible, Kind.CABLE_BACK);
        addIf(hosts < HOSTS_OUT_MAX, possible, Kind.HOST_OUT);
        addIf(hosts > 0, possible, Kind.HOST_BACK);
        addIf(dead.size() < DEAD_MAX, possible, Kind.POWER_OFF);
        addIf(!dead.isEmpty(), possible, Kind.POWER_ON);
        return fault(possible.get(random.nextInt(possible.size())), random);
    }

    private static void addIf(boolean can, List<Kind> possible, Kind... kinds) {
        if (can) {
            possible.addAll(List.of(kinds));
        }
    }

    private Fault fault(Kind kind, SplittableRandom random) {
        return switch (kind) {
            case CABLE_OUT -> pulled(kind, 1, random);
            case CABLES_OUT -> pulled(kind, 2 + random.nextInt(2), random);
            case HOST_OUT -> pulled(kind, 1, random);
            case CABLE_BACK, HOST_BACK -> pluggedIn(kind, random);
            case POWER_OFF, POWER_ON, REBOOT -> power(kind, random);
        };
    }

    private Fault pulled(Kind kind, int count, SplittableRandom random) {
        boolean host = kind == Kind.HOST_OUT;
        Set<TrialCable> isOut = damage().out();
        Set<TrialCable> pulled = new HashSet<>();
        for (int i = 0; i < count; i++) {
            pulled.add(any(
                    fabric.cables(),
                    cable -> cable.toHost() == host && !isOut.contains(cable) && !pulled.contains(cable),
                    random));
        }
        return new Fault(text(kind, names(pulled)), Set.of(), () -> {
            out.addAll(pulled);
            plug();
        });
    }

    private Fault pluggedIn(Kind kind, SplittableRandom random) {
        boolean host = kind == Kind.HOST_BACK;
        TrialCable back = any(fabric.cables(), cable -> cable.toHost() == host && out.contains(cable), random);
        return new Fault(text(kind, fabric.name(back)), Set.of(), () -> {
            out.remove(back);
            unseen.remove(back);
            plug();
        });
    }

    private Fault power(Kind kind, SplittableRandom random) {
        long guid = any(fabric.guids(), it -> dead.contains(it) == (kind == Kind.POWER_ON), random);
        return new Fault(text(kind, fabric.name(guid)), Set.of(guid), () -> {
            if (kind != Kind.POWER_ON) {
                site.killAgent(guid);
            }
            if (kind == Kind.POWER_OFF) {
                dead.add(guid);
                plug();
                return;
            }
            if (dead.remove(guid)) {
                plug();
            }
            out.stream().filter(cable -> cable.toHost() && cable.touches(guid)).forEach(unseen::add);
            site.startAgent(guid);
        });
    }

    private static <T> T any(List<T> all, Predicate<T> fits, SplittableRandom random) {
        List<T> fitting = all.stream().filter(fits).toList();
        return fitting.get(random.nextInt(fitting.size()));
    }

    private String names(Set<TrialCable> some) {
        return String.join(
                " ",
                fabric.cables().stream()
                        .filter(some::contains)
                        .map(fabric::name)
                        .toList());
    }

    private static String text(Kind kind, String subject) {
        return kind.name().toLowerCase(Locale.ROOT).replace('_', ' ') + ": " + subject;
    }

    private void plug() throws IOException {
        fabric.plug(damage().out());
    }
}
