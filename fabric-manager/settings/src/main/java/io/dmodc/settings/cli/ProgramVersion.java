package io.dmodc.settings.cli;

import io.dmodc.settings.BuildInfo;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** The version text, the same for a program and each of its commands. */
public final class ProgramVersion implements IVersionProvider {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Override
    public String[] getVersion() {
        return new String[] {BuildInfo.read().line(spec.root().name())};
    }
}
