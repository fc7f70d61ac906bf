package io.dmodc.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.southbound.tls.CertificateNames;
import io.dmodc.southbound.tls.TlsKeys;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;

class AuthorityTest {
    private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");
    private static final String CLIENT = "1.3.6.1.5.5.7.3.2";
    private static final String SERVER = "1.3.6.1.5.5.7.3.1";

    private final Authority authority = Authority.create("site", NOW);

    @Test
    void shouldNameTheSwitchInACertificateForClientsAlone() throws Exception {
        TlsKeys keys = authority.forSwitch(0xfedcba9876543210L, NOW, Duration.ofDays(7));

        X509Certificate own = keys.own();
        own.verify(authority.own().own().getPublicKey());
        assertThat(CertificateNames.of(own)).containsExactly(0xfedcba9876543210L);
        assertThat(own.getExtendedKeyUsage()).containsExactly(CLIENT);
        assertThat(own.getBasicConstraints()).as("no authority").isEqualTo(-1);
        assertThat(own.getNotAfter().toInstant()).isEqualTo(NOW.plus(7, ChronoUnit.DAYS));
        assertThat(own.getNotBefore().toInstant()).isBefore(NOW);
        assertThat(keys.authorities()).containsExactly(authority.own().own());
    }

    @Test
    void shouldNameTheManagerInACertificateForServersAlone() throws Exception {
        TlsKeys keys = authority.forManager(List.of("fm1.example.org", "10.1.2.3", "fd00::1"), NOW, Duration.ofDays(7));

        assertThat(keys.own().getExtendedKeyUsage()).containsExactly(SERVER);
        assertThat(CertificateNames.of(keys.own())).isEmpty();
        assertThat(keys.own().getSubjectAlternativeNames())
                .extracting(name -> String.valueOf(name.get(1)))
                .containsExactly("fm1.example.org", "10.1.2.3", "fd00:0:0:0:0:0:0:1");
    }

    @Test
    void shouldRefuseWhatIsNoNameInOneLine() {
        for (String name : List.of(
                "", "a b", "10.1.2", "1.2.3.4.5", "fd00::1::2", "-x", "x".repeat(300), "ä", "fm_1.example.org")) {
            assertThatThrownBy(() -> authority.forManager(List.of(name), NOW, Duration.ofDays(1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage(
                            "'" + name + "': expected the GUID of a switch (0x…), or a host name or an address of the"
                                    + " manager");
        }
    }

    @Test
    void shouldGiveEachItsOwnKeyAndNumber() {
        TlsKeys one = authority.forSwitch(1, NOW, Duration.ofDays(1));
        TlsKeys again = authority.forSwitch(1, NOW, Duration.ofDays(1));

        assertThat(one.own().getSerialNumber())
                .isPositive()
                .isNotEqualTo(again.own().getSerialNumber());
        assertThat(one.privateKey()).isNotEqualTo(again.privateKey());
    }

    @Test
    void shouldNotIssueForLongerThanTheAuthorityIsValid() {
        Instant late = NOW.plus(Authority.AUTHORITY_VALID).minus(Duration.ofDays(3));

        assertThat(authority.forSwitch(1, late, Duration.ofDays(7)).own().getNotAfter())
                .isEqualTo(authority.own().own().getNotAfter());
        assertThatThrownBy(() -> authority.forSwitch(1, late.plus(Duration.ofDays(3)), Duration.ofDays(7)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the authority CN=site is over since 2036-11-19T12:00:00Z; expected one that is valid");
    }

    @Test
    void shouldShowNothingOfAPrivateKey() {
        assertThat(authority.forSwitch(1, NOW, Duration.ofDays(1)))
                .hasToString("certificate of CN=switch 0x0000000000000001");
    }
}
