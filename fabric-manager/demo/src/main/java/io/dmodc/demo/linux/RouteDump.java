package io.dmodc.demo.linux;

import io.dmodc.demo.linux.FabricPlan.SwitchPlace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/** The routes that switches hold, as the kernel lists them. Immutable. */
final class RouteDump {
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Routes that stand behind others are written up to so long after the last table. */
    private static final long REST_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** By the name of the switch; a route is one line, its next hops in the order of their names. */
    private final TreeMap<String, Set<String>> routes = new TreeMap<>();

    private RouteDump() {}

    /** What they hold now of one protocol. */
    static RouteDump of(FabricPlan plan, String protocol) throws LinuxFailure {
        RouteDump dump = new RouteDump();
        for (SwitchPlace place : plan.switches()) {
            dump.routes.put(
                    place.name(),
                    lines(Commands.run("ip", "-n", place.namespace(), "-4", "route", "show", "proto", protocol)));
        }
        return dump;
    }

    /** What they hold once that has not changed for a while. */
    static RouteDump atRest(String what, FabricPlan plan, String protocol, long patienceNanos) throws LinuxFailure {
        long end = System.nanoTime() + patienceNanos;
        RouteDump before = of(plan, protocol);
        while (true) {
            Probes.pause(REST_NANOS);
            RouteDump now = of(plan, protocol);
            List<String> different = before.different(now);
            if (different.isEmpty()) {
                return now;
            }
            if (System.nanoTime() > end) {
                throw new LinuxFailure(what + ": after " + TimeUnit.NANOSECONDS.toSeconds(patienceNanos) + " s "
                        + String.join(", ", different) + " still change their routes");
            }
            before = now;
        }
    }

    /** A route of several next hops has a line for each of them, indented. */
    private static Set<String> lines(String text) {
        Set<String> lines = new TreeSet<>();
        List<String> hops = new ArrayList<>();
        String head = "";
        for (String line : text.lines().toList()) {
            if (line.startsWith("\t")) {
                hops.add(line.strip());
                continue;
            }
            add(lines, head, hops);
            head = line.strip();
        }
        add(lines, head, hops);
        return lines;
    }

    private static void add(Set<String> lines, String head, List<String> hops) {
        if (!head.isEmpty()) {
            String[] sorted = hops.toArray(String[]::new);
            Arrays.sort(sorted);
            lines.add(head + " " + String.join(" ", sorted));
        }
        hops.clear();
    }

    int size() {
        return routes.values().stream().mapToInt(Set::size).sum();
    }

    /** Names of the switches that hold other routes than in that one. */
    List<String> different(RouteDump other) {
        return routes.keySet().stream()
                .filter(name -> !Objects.equals(routes.get(name), other.routes.get(name)))
                .toList();
    }

    /** Waits until the switches hold what they did then. */
    void await(String what, FabricPlan plan, String protocol, long patienceNanos) throws LinuxFailure {
        long end = System.nanoTime() + patienceNanos;
        List<String> different = different(of(plan, protocol));
        while (!different.isEmpty()) {
            if (System.nanoTime() > end) {
                throw new LinuxFailure(what + ": after " + TimeUnit.NANOSECONDS.toSeconds(patienceNanos) + " s "
                        + String.join(", ", different) + " still hold other routes than before");
            }
            Probes.pause(POLL_NANOS);
            different = different(of(plan, protocol));
        }
    }
}
