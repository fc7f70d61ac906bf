package io.dmodc.keys;

import java.io.IOException;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code fabric-manager keys init}. */
@Command(
        name = "init",
        description =
                "Makes an authority, valid for ten years, and the key of the heartbeat ring. Changes nothing where there is one.")
final class KeysInitCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private AuthorityLocation location = new AuthorityLocation();

    @Option(
            names = "--name",
            paramLabel = "TEXT",
            description = "What the authority is called in certificates (default: ${DEFAULT-VALUE}).")
    private String name = "fabric authority";

    @Override
    public Integer call() throws IOException {
        location.directory().init(Authority.create(name, Instant.now()));
        spec.commandLine()
                .getErr()
                .println("authority made in " + location.path()
                        + "; keep a copy where this machine's end does not reach it");
        return 0;
    }
}
