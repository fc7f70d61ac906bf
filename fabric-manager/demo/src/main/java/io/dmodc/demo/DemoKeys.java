package io.dmodc.demo;

import io.dmodc.detector.net.RingKey;
import io.dmodc.keys.Authority;
import io.dmodc.manager.service.ManagerKeys;
import io.dmodc.southbound.tls.TlsEndpoint;
import io.dmodc.southbound.tls.TlsKeys;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a demonstration: made for it, and gone with the process.
 *
 * @param ring the key of the heartbeat ring
 * @param authority of all certificates; null: manager and agents speak in clear text
 */
record DemoKeys(RingKey ring, @Nullable Authority authority) {
    /** So long that none is in alarm: the fabric of a demonstration is well in the end. */
    private static final Duration VALID = Duration.ofDays(365);

    /** @param certificates false: manager and agents speak in clear text */
    static DemoKeys make(boolean certificates) {
        return new DemoKeys(RingKey.random(), certificates ? Authority.create("demonstration", Instant.now()) : null);
    }

    ManagerKeys ofManager() {
        if (authority == null) {
            return new ManagerKeys(ring, null);
        }
        TlsKeys keys = authority.forManager(List.of("127.0.0.1"), Instant.now(), VALID);
        return new ManagerKeys(ring, TlsEndpoint.ofManager(() -> keys));
    }

    @Nullable
    TlsEndpoint ofSwitch(long guid) {
        if (authority == null) {
            return null;
        }
        TlsKeys keys = authority.forSwitch(guid, Instant.now(), VALID);
        return TlsEndpoint.ofAgent(() -> keys);
    }
}
