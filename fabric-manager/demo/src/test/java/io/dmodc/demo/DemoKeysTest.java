package io.dmodc.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.southbound.tls.TlsEndpoint;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DemoKeysTest {
    /** With 30 days left a certificate is in alarm, so no fabric would be well. */
    @Test
    void shouldBeValidLongerThanWhatIsInAlarm() {
        DemoKeys keys = DemoKeys.make(true);
        Date alarm = Date.from(Instant.now().plus(Duration.ofDays(31)));

        assertThat(certificate(keys.ofManager().agents()).getNotAfter()).isAfter(alarm);
        assertThat(certificate(keys.ofSwitch(1)).getNotAfter()).isAfter(alarm);
    }

    private static X509Certificate certificate(@Nullable TlsEndpoint of) {
        return Objects.requireNonNull(of).keys().own();
    }
}
