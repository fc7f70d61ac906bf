package io.dmodc.agent.linux;

import io.dmodc.agent.plane.PlaneException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** The kernel's settings without which it does not forward as the table says: looked at, and set where they are others. */
final class KernelSettings {
    /** Prints a line for each that it set, or could not. */
    private static final String SCRIPT = "while [ $# -ge 2 ]; do f=/proc/sys/$1;"
            + " if [ -e \"$f\" ]; then read -r now < \"$f\"; if [ \"$now\" != \"$2\" ]; then"
            + " if (echo \"$2\" > \"$f\") 2>/dev/null; then echo \"set $1 $now $2\"; else echo \"refused $1 $now $2\"; fi;"
            + " fi; fi; shift 2; done";

    /**
     * The stricter of all's and the interface's filter counts: packets come by other ways than those to their senders lead, so it
     * must be off in both.
     */
    private static final List<String> GLOBAL = List.of(
            "net/ipv4/ip_forward", "1",
            "net/ipv6/conf/all/forwarding", "1",
            "net/ipv4/conf/all/rp_filter", "0",
            "net/ipv4/conf/all/ignore_routes_with_linkdown", "1",
            "net/ipv6/conf/all/ignore_routes_with_linkdown", "1");

    private KernelSettings() {}

    /**
     * What came of it, a line each for people.
     *
     * @param set were others before
     * @param refused are others still
     */
    record Outcome(List<String> set, List<String> refused) {}

    /**
     * Sees to those of the whole machine and of some ports.
     *
     * @param ports with an interface
     */
    static Outcome apply(IpProgram program, LinuxSettings settings, BitSet ports) throws PlaneException {
        List<String> arguments = new ArrayList<>(List.of("sh", "-c", SCRIPT, "sh"));
        arguments.addAll(GLOBAL);
        ports.stream().mapToObj(settings::interfaceOf).forEach(name -> {
            arguments.addAll(List.of("net/ipv4/conf/" + name + "/rp_filter", "0"));
            arguments.addAll(List.of("net/ipv4/conf/" + name + "/ignore_routes_with_linkdown", "1"));
            arguments.addAll(List.of("net/ipv6/conf/" + name + "/ignore_routes_with_linkdown", "1"));
        });
        Outcome outcome = new Outcome(new ArrayList<>(), new ArrayList<>());
        program.text(arguments.toArray(new String[0])).lines().forEach(line -> {
            String[] words = line.split(" ");
            String name = words[1].replace('/', '.');
            if (words[0].equals("set")) {
                outcome.set().add(name + " was " + words[2] + ", is " + words[3] + " now");
            } else {
                outcome.refused().add(name + " is " + words[2] + " and cannot be set to " + words[3]);
            }
        });
        return outcome;
    }
}
