package io.dmodc.agent.linux;

import io.dmodc.agent.plane.PlaneException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The kernel's settings without which it does not forward as the table says: looked at, as others may have set them since, and set where they are
 * others. From any thread.
 */
final class KernelSettings {
    private static final Logger LOG = LoggerFactory.getLogger(KernelSettings.class);

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

    private final String who;
    private final IpProgram program;
    private final LinuxSettings settings;
    private final PortTable ports;

    /** Those that cannot be set, each told once. */
    private final Set<String> told = ConcurrentHashMap.newKeySet();

    /** @param who says it, for the log */
    KernelSettings(String who, IpProgram program, LinuxSettings settings, PortTable ports) {
        this.who = who;
        this.program = program;
        this.settings = settings;
        this.ports = ports;
    }

    /** Those of the whole machine, and of the ports that are up. */
    void see() throws PlaneException {
        see(present());
    }

    /** The same; what cannot be done is told, and done with the next call. */
    void seeOrTell() {
        seeOrTell(present());
    }

    /** Those of the whole machine, and of some ports with an interface. */
    void seeOrTell(BitSet numbers) {
        try {
            see(numbers);
        } catch (PlaneException e) {
            LOG.warn("{}: {}", who, e.getMessage());
        }
    }

    private BitSet present() {
        BitSet present = new BitSet();
        for (int number = 1; number <= settings.portCount(); number++) {
            present.set(number, ports.port(number).up());
        }
        return present;
    }

    private void see(BitSet numbers) throws PlaneException {
        List<String> arguments = new ArrayList<>(List.of("sh", "-c", SCRIPT, "sh"));
        arguments.addAll(GLOBAL);
        numbers.stream().mapToObj(settings::interfaceOf).forEach(name -> {
            arguments.addAll(List.of("net/ipv4/conf/" + name + "/rp_filter", "0"));
            arguments.addAll(List.of("net/ipv4/conf/" + name + "/ignore_routes_with_linkdown", "1"));
            arguments.addAll(List.of("net/ipv6/conf/" + name + "/ignore_routes_with_linkdown", "1"));
        });
        tell(program.text(arguments.toArray(new String[0])));
    }

    private void tell(String outcome) {
        List<String> set = new ArrayList<>();
        List<String> refused = new ArrayList<>();
        outcome.lines().forEach(line -> {
            String[] words = line.split(" ");
            String name = words[1].replace('/', '.');
            if (words[0].equals("set")) {
                set.add(name + " was " + words[2] + ", is " + words[3] + " now");
            } else {
                String text = name + " is " + words[2] + " and cannot be set to " + words[3];
                if (told.add(text)) {
                    refused.add(text);
                }
            }
        });
        if (!set.isEmpty()) {
            LOG.info("{}: {}", who, String.join("; ", set));
        }
        if (!refused.isEmpty()) {
            LOG.warn("{}: {}: packets may not be forwarded as the table says", who, String.join("; ", refused));
        }
    }
}
