package io.dmodc.manager.app;

import io.dmodc.manager.config.ManagerConfig;
import io.dmodc.manager.service.FabricManager;
import io.dmodc.settings.Settings;
import io.dmodc.settings.cli.ConfigFile;
import io.dmodc.settings.cli.HangUp;
import io.dmodc.settings.process.LogQueues;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code fabric-manager run}: the service, until it is told to stop. */
@Command(
        name = "run",
        description = {
            "Runs the daemon until SIGTERM; SIGHUP has it read its settings again and ask all ports.",
            "Exit code 70: a defect ended it, its stack is in the log. The switches keep their tables; start it again."
        })
final class RunCommand implements Callable<Integer> {
    private static final int FLUSH_MILLIS = 1000;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private ConfigFile config = new ConfigFile();

    @Option(names = "--print-config", description = "prints the settings in force and ends")
    private boolean print;

    @Override
    public Integer call() throws Exception {
        ManagerConfig settings = config.read(ManagerConfig.class);
        if (print) {
            spec.commandLine().getOut().print(Settings.describe(settings));
            return 0;
        }
        CountDownLatch stopped = new CountDownLatch(1);
        AtomicReference<FabricManager> running = new AtomicReference<>();
        // First of all: without it, a reload asked for during the start would end the process.
        HangUp.handle(() -> {
            FabricManager started = running.get();
            if (started != null) {
                started.reload(() -> config.read(ManagerConfig.class));
            }
        });
        ServiceNotifier notifier = ServiceNotifier.open(System.getenv());
        FabricManager manager = new FabricManager(settings, Set.of());
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            if (notifier != null) {
                notifier.stopping();
            }
            manager.close();
            LogQueues.flush(FLUSH_MILLIS);
            stopped.countDown();
        }));
        running.set(manager);
        if (notifier != null) {
            notifier.ready("agents at " + text(manager.southboundAddress()) + ", administrators at http://"
                    + text(manager.northboundAddress()));
            notifier.watch(manager.loop(), System.getenv());
        }
        System.err.println("fabric-manager: agents at " + text(manager.southboundAddress())
                + ", administrators at http://" + text(manager.northboundAddress()));
        stopped.await();
        return 0;
    }

    private static String text(InetSocketAddress address) {
        return address.getAddress().getHostAddress() + ":" + address.getPort();
    }
}
