package io.dmodc.demo;

import io.dmodc.manager.config.ManagerConfig;
import io.dmodc.manager.service.FabricManager;
import io.dmodc.manager.service.ManagerKeys;
import io.dmodc.settings.HostPort;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Set;

/** The manager of the demonstration: it can be started again where it ran, on what it kept. */
final class DemoManager implements AutoCloseable {
    private final ManagerConfig config;
    private final ManagerKeys keys;
    private FabricManager running;

    /** Starts it for the first time. */
    DemoManager(ManagerConfig config, Set<Long> expected, ManagerKeys keys) throws IOException {
        this.keys = keys;
        running = new FabricManager(config, expected, keys);
        InetSocketAddress agents = running.southboundAddress();
        this.config = new ManagerConfig(
                config.stateDir(),
                new ManagerConfig.Southbound(
                        new HostPort(agents.getAddress().getHostAddress(), agents.getPort()),
                        config.southbound().keepAlive(),
                        config.southbound().sessionsPerAddress(),
                        config.southbound().authentication(),
                        config.southbound().keys()),
                config.northbound(),
                config.routing(),
                config.detector(),
                config.discovery(),
                config.push(),
                config.links());
    }

    FabricManager running() {
        return running;
    }

    void stop() {
        running.close();
    }

    /** Starts it after {@link #stop}; it knows from its state which switches there are. */
    void startAgain() throws IOException {
        running = new FabricManager(config, Set.of(), keys);
    }

    @Override
    public void close() {
        running.close();
    }
}
