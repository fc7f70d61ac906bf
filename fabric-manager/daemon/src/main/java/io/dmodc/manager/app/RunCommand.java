package io.dmodc.manager.app;

import io.dmodc.manager.config.ManagerConfig;
import io.dmodc.manager.service.FabricManager;
import io.dmodc.settings.Settings;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code fabric-manager run}: the service, until it is told to stop. */
@Command(name = "run", description = "Runs the daemon until SIGTERM.", mixinStandardHelpOptions = true)
final class RunCommand implements Callable<Integer> {
    @Option(
            names = "--config",
            required = true,
            paramLabel = "FILE",
            description = "Settings, as conf/fabric-manager.yaml.")
    private Path config = Path.of("fabric-manager.yaml");

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = "Overrides one setting, as northbound.listen=127.0.0.1:8080. May be repeated.")
    private List<String> overrides = List.of();

    @Option(names = "--print-config", description = "Prints the settings in force and exits.")
    private boolean print;

    @Override
    public Integer call() throws Exception {
        ManagerConfig settings = Settings.read(config, ManagerConfig.class, Settings.overrides(overrides));
        if (print) {
            System.out.print(Settings.describe(settings));
            return 0;
        }
        CountDownLatch stopped = new CountDownLatch(1);
        FabricManager manager = new FabricManager(settings, Set.of());
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            manager.close();
            stopped.countDown();
        }));
        System.err.println("fabric-manager: agents at " + text(manager.southboundAddress())
                + ", administrators at http://" + text(manager.northboundAddress()));
        stopped.await();
        return 0;
    }

    private static String text(InetSocketAddress address) {
        return address.getAddress().getHostAddress() + ":" + address.getPort();
    }
}
