package io.dmodc.keys;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.ibnet.IbnetReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code fabric-manager keys bundle}. */
@Command(
        name = "bundle",
        description = {
            "Makes keys and certificates for all switches of a list and for the manager, a directory for each:",
            "DIR/0x… and DIR/manager hold all that belongs into /etc/fabric-manager/keys there, the ring's key included."
        })
final class KeysBundleCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private AuthorityLocation location = new AuthorityLocation();

    @Mixin
    private Validity validity = new Validity();

    @Option(
            names = "--switches",
            required = true,
            paramLabel = "FILE",
            description = "The fabric as ibnetdiscover prints it, or a GUID (0x…) a line; # starts a comment.")
    private Path switches = Path.of("");

    @Option(
            names = "--manager",
            required = true,
            split = ",",
            paramLabel = "NAME",
            description = "Host names and addresses of the manager, as agents have them.")
    private List<String> manager = List.of();

    @Parameters(paramLabel = "DIR", description = "The directory to make, new or empty.")
    private Path directory = Path.of("");

    @Override
    public Integer call() throws IOException {
        Set<Long> guids = guids();
        try (FreshDirectory fresh = new FreshDirectory(directory)) {
            BundleWriter bundles =
                    new BundleWriter(location.directory(), fresh.path(), Instant.now(), validity.duration());
            bundles.writeManager(manager);
            for (long guid : guids) {
                bundles.writeSwitch(guid);
            }
            fresh.keep();
        }
        spec.commandLine()
                .getErr()
                .println("keys of the manager and of " + guids.size() + (guids.size() == 1 ? " switch" : " switches")
                        + " made in " + directory);
        return 0;
    }

    private Set<Long> guids() throws IOException {
        List<String> lines = lines();
        if (lines.stream().anyMatch(line -> line.startsWith("switchguid="))) {
            FabricView view = IbnetReader.read(switches).fabric().build(0, new NodeIndexMap(), new GuidNumbers());
            SwitchGuids guids = new SwitchGuids();
            for (int s = 0; s < view.switchCount(); s++) {
                guids.add(view.switchGuid(s));
            }
            return guids.all();
        }
        return listed(lines);
    }

    private List<String> lines() throws IOException {
        try {
            return Files.readAllLines(switches);
        } catch (IOException e) {
            throw new IOException(switches + ": cannot be read (" + e + "); expected GUIDs of switches", e);
        }
    }

    private Set<Long> listed(List<String> lines) {
        SwitchGuids guids = new SwitchGuids();
        for (int i = 0; i < lines.size(); i++) {
            String text = lines.get(i).split("#", 2)[0].strip();
            if (!text.isEmpty()) {
                add(guids, text, i + 1);
            }
        }
        if (guids.all().isEmpty()) {
            throw new IllegalArgumentException(switches + ": no GUID; expected one of a switch a line");
        }
        return guids.all();
    }

    private void add(SwitchGuids guids, String text, int line) {
        try {
            guids.add(Guid.parse(text));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(switches + ":" + line + ": " + e.getMessage(), e);
        }
    }
}
