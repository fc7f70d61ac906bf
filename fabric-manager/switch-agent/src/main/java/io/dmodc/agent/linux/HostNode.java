package io.dmodc.agent.linux;

import io.dmodc.agent.plane.Neighbour.HostPort;
import io.dmodc.agent.plane.Neighbour.SwitchPort;
import java.io.IOException;
import java.net.NetworkInterface;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A host of the fabric: announces itself over its interface, and keeps its way to the fabric's networks through the switch at the far
 * end. Looks at the interface every {@value #LOOK_MILLIS} ms and at its routes every {@value #KEEP_MILLIS}; what cannot be done then
 * is tried again after {@value #RETRY_MILLIS}. Its routes stay when it ends.
 */
public final class HostNode {
    static final long LOOK_MILLIS = 100;
    static final long KEEP_MILLIS = 1_000;
    static final long RETRY_MILLIS = 5_000;

    private static final Logger LOG = LoggerFactory.getLogger(HostNode.class);

    private static final int PORT = 1;

    private final Announcer self;
    private final String interfaceName;
    private final HostWay way;
    private final boolean hasNetworks;

    private @Nullable NetworkInterface seen;
    private boolean up;
    private long keepAt;
    private boolean told;
    private @Nullable FarEnd toldOf;

    /**
     * @param cluster as the switches' {@code links.cluster}
     * @param host what is announced
     * @param interfaceName over which
     * @param networks that are reached over it
     * @param routeProtocol by which the kernel tells these routes from others
     * @throws IllegalArgumentException in one line, when one of them cannot be used
     */
    public HostNode(int cluster, HostPort host, String interfaceName, List<Network> networks, int routeProtocol) {
        self = Announcer.ofHost(cluster, host);
        // As the kernel does; some of its files have such names.
        if (!interfaceName.matches("[^/\\s:]{1,15}") || interfaceName.matches("\\.\\.?")) {
            throw new IllegalArgumentException(
                    "interface '" + interfaceName + "': expected the name of a network interface, 1 to 15 characters");
        }
        this.interfaceName = interfaceName;
        way = new HostWay(interfaceName, networks, routeProtocol, host.addresses());
        hasNetworks = !networks.isEmpty();
    }

    /**
     * Runs until its thread is interrupted.
     *
     * @throws IOException in one line, when this machine has no IPv6
     */
    public void run() throws IOException, InterruptedException {
        try (AnnouncedCabling cabling = AnnouncedCabling.start(self, 1)) {
            LOG.info("{}: announced at {}", self.who(), interfaceName);
            while (!Thread.interrupted()) {
                look(cabling);
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
            }
            throw new InterruptedException();
        } catch (InterruptedException asked) {
            LOG.info("{}: ends; its routes stay", self.who());
            throw asked;
        }
    }

    private void look(AnnouncedCabling cabling) {
        long now = System.nanoTime();
        boolean carrier = hasCarrier();
        if (carrier != up) {
            up = carrier;
            cabling.carrier(PORT, carrier ? interfaceName : null);
            LOG.info("{}: {} {}", self.who(), interfaceName, carrier ? "has carrier" : "has no carrier");
            keepAt = now;
        } else if (!carrier && !told) {
            boolean there = Ipv6Settings.isThere(interfaceName);
            LOG.info(
                    "{}: {}",
                    self.who(),
                    there ? interfaceName + " has no carrier yet" : "there is no interface " + interfaceName + " yet");
        }
        told = true;
        FarEnd far = cabling.farEnd(PORT);
        if (!Objects.equals(far, toldOf)) {
            toldOf = far;
            keepAt = now;
            if (hasNetworks && far != null && !(far.neighbour() instanceof SwitchPort)) {
                LOG.warn(
                        "{}: no way to the fabric: {} leads to {}; expected a switch",
                        self.who(),
                        interfaceName,
                        FarEndText.of(far));
            }
        }
        if (up && keepAt - now <= 0) {
            keepAt = now + TimeUnit.MILLISECONDS.toNanos(keep(far) ? KEEP_MILLIS : RETRY_MILLIS);
        }
    }

    private boolean keep(@Nullable FarEnd far) {
        String mac = far != null && far.neighbour() instanceof SwitchPort ? far.mac() : null;
        return mac == null || way.keep(mac);
    }

    /** Java finds an interface only once it has an address; from then on the kernel is asked by its name. */
    private boolean hasCarrier() {
        try {
            if (seen == null && InterfaceTable.read().index(interfaceName) != null) {
                seen = NetworkInterface.getByName(interfaceName);
            }
            return seen != null && seen.isUp();
        } catch (IOException e) {
            return false; // it is gone
        }
    }
}
