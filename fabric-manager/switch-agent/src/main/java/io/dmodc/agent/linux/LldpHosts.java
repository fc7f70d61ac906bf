package io.dmodc.agent.linux;

import io.dmodc.agent.plane.PlaneException;
import io.dmodc.southbound.Guids;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Cables that are found out, and hosts that say nothing to us but run LLDP: this machine's lldpd is asked for them every
 * {@value #ASK_SECONDS} s. LLDP knows no GUIDs: a host port has the EUI-64 of its MAC address. Who forwards is no host.
 *
 * <p>Whoever is known otherwise at a port counts there. A daemon thread asks; what it hears last stays, as with other far ends.
 */
public final class LldpHosts extends CablingFilter {
    static final long ASK_SECONDS = 5;

    private static final Logger LOG = LoggerFactory.getLogger(LldpHosts.class);

    private final LinuxSettings settings;
    private final IpProgram program;
    private final AtomicReferenceArray<@Nullable FarEnd> heard;
    private final ScheduledExecutorService worker;

    /** By port, what was told of it last; the worker's own. */
    private final Map<Integer, String> told = new HashMap<>();

    private volatile IntConsumer changed = port -> {};

    private LldpHosts(Cabling others, LinuxSettings settings) {
        super(others);
        this.settings = settings;
        program = new IpProgram(settings.command());
        heard = new AtomicReferenceArray<>(settings.portCount() + 1);
        worker = Executors.newSingleThreadScheduledExecutor(work -> {
            Thread thread = new Thread(work, "lldp");
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Begins to ask.
     *
     * @param others who is known otherwise; closed with this
     */
    public static LldpHosts start(Cabling others, LinuxSettings settings) {
        LldpHosts hosts = new LldpHosts(others, settings);
        hosts.worker.scheduleWithFixedDelay(hosts::ask, 0, ASK_SECONDS, TimeUnit.SECONDS);
        return hosts;
    }

    private void ask() {
        try {
            take(program.run(LldpNeighbour::read, "lldpcli", "-f", "json0", "show", "neighbors", "details"));
            tell(0, "");
        } catch (PlaneException e) {
            tell(0, String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            LOG.error("switch {}: defect: what lldpcli said was not taken", Guids.text(settings.guid()), e);
        }
    }

    private void take(List<LldpNeighbour> neighbours) {
        Map<Integer, LldpNeighbour> byPort = new HashMap<>();
        for (LldpNeighbour each : neighbours) {
            int port = settings.portOf(each.interfaceName());
            if (port != 0) {
                byPort.merge(
                        port,
                        each,
                        (one, other) -> new LldpNeighbour(
                                one.interfaceName(), null, "more than one neighbour; expected one far end of a cable"));
            }
        }
        byPort.forEach((port, neighbour) -> {
            tell(port, neighbour.trouble());
            FarEnd host = neighbour.host();
            if (host != null && !host.equals(heard.get(port))) {
                heard.set(port, host);
                LOG.info(
                        "switch {}: port {}: LLDP tells of {}", Guids.text(settings.guid()), port, FarEndText.of(host));
                changed.accept(port);
            }
        });
    }

    /** Once, until it is something else. */
    private void tell(int port, String trouble) {
        if (!trouble.equals(told.getOrDefault(port, ""))) {
            told.put(port, trouble);
            if (!trouble.isEmpty()) {
                String where = port == 0 ? "" : "port " + port + ": ";
                LOG.warn("switch {}: {}no host by LLDP: {}", Guids.text(settings.guid()), where, trouble);
            }
        }
    }

    @Override
    public @Nullable FarEnd farEnd(int port) {
        FarEnd other = super.farEnd(port);
        return other == null ? heard.get(port) : other;
    }

    @Override
    public void listen(IntConsumer listener) {
        changed = listener;
        super.listen(listener);
    }

    @Override
    public void close() {
        worker.shutdownNow();
        super.close();
    }
}
