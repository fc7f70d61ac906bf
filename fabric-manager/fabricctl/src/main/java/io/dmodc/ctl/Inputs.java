package io.dmodc.ctl;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.design.SwitchLevels;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Mixin;

/** The fabric a command works on: read or generated, then damaged if asked. */
final class Inputs {
    @ArgGroup(multiplicity = "1")
    private FabricOrigin origin = new FabricOrigin();

    @Mixin
    private FabricLoading loading = new FabricLoading();

    /**
     * Loads the fabric.
     *
     * @throws IOException in one line, if a file cannot be read or written
     * @throws IllegalArgumentException in one line, if an option, the node map or the levels cannot be used
     */
    Fabric load() throws IOException {
        return loading.load(origin.source());
    }

    /** The fabric as it was named on the command line. */
    String name() {
        return origin.name();
    }

    /** The subnet that was loaded as it is now; null for other fabrics. */
    @Nullable
    PresentSubnet present() {
        return origin.present();
    }

    /** For whatever else a command draws. */
    long seed() {
        return loading.seed();
    }

    /** The ranks of all switches that have one. */
    static GuidNumbers levels(FabricView whole) {
        return SwitchLevels.of(whole, new GuidNumbers());
    }
}
