package io.dmodc.keys;

import io.dmodc.topology.Guid;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code fabric-manager keys issue}. */
@Command(
        name = "issue",
        description = {
            "Makes a new key and certificate for each switch that is named, and one for the manager by all its names.",
            "Those that are there already are replaced, the manager's only if all its names are named again.",
            "Prints the directories, whose files belong into /etc/fabric-manager/keys there; running programs take new ones up."
        })
final class KeysIssueCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private AuthorityLocation location = new AuthorityLocation();

    @Mixin
    private Validity validity = new Validity();

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Where the directories go (default: issued, in the authority's).")
    private @Nullable Path out;

    @Parameters(
            arity = "1..*",
            paramLabel = "GUID|NAME",
            description = "GUIDs of switches (0x…); host names and addresses of the manager, as agents have them.")
    private List<String> subjects = List.of();

    @Override
    public Integer call() throws IOException {
        SwitchGuids guids = new SwitchGuids();
        List<String> names = new ArrayList<>();
        for (String subject : subjects) {
            if (subject.toLowerCase(Locale.ROOT).startsWith("0x")) {
                guids.add(Guid.parse(subject));
            } else {
                names.add(subject);
            }
        }
        Path below = out == null ? location.path().resolve("issued") : out;
        BundleWriter bundles = new BundleWriter(location.directory(), below, Instant.now(), validity.duration());
        PrintWriter printed = spec.commandLine().getOut();
        if (!names.isEmpty()) {
            printed.println(bundles.writeManager(names));
        }
        for (long guid : guids.all()) {
            printed.println(bundles.writeSwitch(guid));
        }
        return 0;
    }
}
