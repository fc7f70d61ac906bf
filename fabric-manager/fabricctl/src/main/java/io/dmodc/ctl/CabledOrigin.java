package io.dmodc.ctl;

import java.io.IOException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say where a fabric of real cables comes from; one of them is given. */
class CabledOrigin {
    @Option(
            names = "--topology",
            paramLabel = "F",
            required = true,
            description = "ibnetdiscover text; - reads standard input")
    private @Nullable String topology;

    @Option(
            names = "--opensm",
            paramLabel = "CONFIG",
            required = true,
            description =
                    "the subnet as it is now, by the commands of southbound.opensm in these settings of a manager;"
                            + " reads only")
    private @Nullable Path opensm;

    private @Nullable PresentSubnet present;

    /** The fabric as it was named on the command line; a subnet by what shows it, once it was looked at. */
    String name() {
        return present != null ? present.name() : String.valueOf(topology);
    }

    /**
     * Reads it.
     *
     * @throws IOException in one line, if the file cannot be read
     * @throws IllegalArgumentException in one line, if it cannot be understood
     */
    Source source() throws IOException {
        if (opensm != null) {
            present = PresentSubnet.look(opensm);
            return present.source();
        }
        return Source.read(String.valueOf(topology));
    }

    /** The subnet that was looked at; null for other fabrics. */
    @Nullable
    PresentSubnet present() {
        return present;
    }
}
