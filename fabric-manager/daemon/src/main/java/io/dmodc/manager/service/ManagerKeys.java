package io.dmodc.manager.service;

import io.dmodc.detector.net.RingKey;
import io.dmodc.detector.net.RingKeyFile;
import io.dmodc.manager.config.ManagerConfig;
import io.dmodc.manager.config.ManagerConfig.RingAuthentication;
import io.dmodc.southbound.tls.Authentication;
import io.dmodc.southbound.tls.TlsEndpoint;
import io.dmodc.southbound.tls.TlsKeyReader;
import io.dmodc.southbound.tls.TlsKeyUse;
import java.io.IOException;
import java.time.InstantSource;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * With what a manager and its agents know each other.
 *
 * @param ring gives the newest key of the heartbeat ring
 * @param agents of the sessions; null: in clear text, and every GUID is believed
 */
public record ManagerKeys(Supplier<RingKey> ring, @Nullable TlsEndpoint agents) {
    /** With a key of the ring that stays. */
    public ManagerKeys(RingKey ring, @Nullable TlsEndpoint agents) {
        this(() -> ring, agents);
    }

    /**
     * Those that the settings name.
     *
     * @throws IOException in one line that starts with the setting, when a file cannot be used
     */
    static ManagerKeys read(ManagerConfig config) throws IOException {
        return new ManagerKeys(ring(config.detector()), agents(config.southbound()));
    }

    private static Supplier<RingKey> ring(ManagerConfig.Detector detector) throws IOException {
        if (!detector.enabled() || detector.authentication() == RingAuthentication.OFF) {
            return RingKey::none;
        }
        try {
            return RingKeyFile.open(detector.keyFile());
        } catch (IOException e) {
            throw new IOException("detector.key-file: " + e.getMessage(), e);
        }
    }

    private static @Nullable TlsEndpoint agents(ManagerConfig.Southbound southbound) throws IOException {
        if (southbound.authentication() == Authentication.OFF) {
            return null;
        }
        try {
            return TlsEndpoint.ofManager(new TlsKeyReader(
                    southbound.keys(), TlsKeyUse.ofManager(), System::nanoTime, InstantSource.system()));
        } catch (IOException e) {
            throw new IOException("southbound.keys: " + e.getMessage(), e);
        }
    }
}
