package io.dmodc.manager.app;

import io.dmodc.manager.config.ManagerConfig;
import io.dmodc.manager.state.StoredState;
import io.dmodc.manager.store.StateStore;
import io.dmodc.settings.Settings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** The options that name a state directory. */
final class StateLocation {
    @ArgGroup(multiplicity = "1")
    private Choice choice = new Choice();

    /** One of them. */
    static final class Choice {
        @Option(names = "--state-dir", paramLabel = "D", description = "the state directory")
        private @Nullable Path directory;

        @Option(names = "--config", paramLabel = "F", description = "settings that name it, as in conf/")
        private @Nullable Path config;
    }

    Path directory() {
        if (choice.directory != null) {
            return choice.directory;
        }
        Path file = Objects.requireNonNull(choice.config);
        return Settings.read(file, ManagerConfig.class, Map.of()).stateDir();
    }

    /** @throws IllegalArgumentException in one line when there is none, or it is damaged */
    StoredState read() throws IOException {
        StoredState state = StateStore.read(directory());
        if (state == null) {
            throw new IllegalArgumentException("state directory " + directory() + " holds no state");
        }
        return state;
    }
}
