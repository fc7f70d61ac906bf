package io.dmodc.manager.southbound;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.southbound.tls.TlsEndpoint;
import io.dmodc.southbound.tls.TlsKeys;
import java.io.ByteArrayInputStream;
import java.security.KeyPairGenerator;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class CertificateWatchTest {
    /** Of switch 0x10, valid until 2026-03-02T00:00:00Z. */
    private static final String FIRST =
            "MIICAjCCAaigAwIBAgIQaTabWfyr/nU3DDwJb6LTRzAKBggqhkjOPQQDAjAQMQ4wDAYDVQQDDAV0ZXN0czAeFw0yNT"
                    + "EyMzEwMDAwMDBaFw0yNjAzMDIwMDAwMDBaMCQxIjAgBgNVBAMMGXN3aXRjaCAweDAwMDAwMDAwMDAwMDAwMTAwWTAT"
                    + "BgcqhkjOPQIBBggqhkjOPQMBBwNCAAQbViMufx2zGR3Qhm28KmVC4FEGjIKsfWRx7EBc37glA+pQGbMoZVMKH53xrq"
                    + "rnIrVGUfuH3KsXeaPugkcox4H+o4HPMIHMMAwGA1UdEwEB/wQCMAAwDgYDVR0PAQH/BAQDAgeAMBMGA1UdJQQMMAoG"
                    + "CCsGAQUFBwMCMC8GA1UdEQQoMCaGJHVybjpmYWJyaWM6c3dpdGNoOjB4MDAwMDAwMDAwMDAwMDAxMDAdBgNVHQ4EFg"
                    + "QUeNz9chzCHajqk8Hnqtpk02Tv3gMwRwYDVR0jBEAwPoAUS2pPclkVzHtktVZuRyzbC0c+b52hFKQSMBAxDjAMBgNV"
                    + "BAMMBXRlc3RzghBuF/IDvouSFG8gzWNiEcegMAoGCCqGSM49BAMCA0gAMEUCIQC9UAyCGJRORrYWnMucBP1cynTi4N"
                    + "yy+l98vnykpIKabAIgPD9kjyhLQXFDZ9Bybewgg76qriwgtPalsBpEMYsuBms=";

    /** Of switch 0x20, valid until 2026-04-01T00:00:00Z. */
    private static final String SECOND =
            "MIICAzCCAaigAwIBAgIQFRIHGTH1A49axHoUjumP1DAKBggqhkjOPQQDAjAQMQ4wDAYDVQQDDAV0ZXN0czAeFw0yNT"
                    + "EyMzEwMDAwMDBaFw0yNjA0MDEwMDAwMDBaMCQxIjAgBgNVBAMMGXN3aXRjaCAweDAwMDAwMDAwMDAwMDAwMjAwWTAT"
                    + "BgcqhkjOPQIBBggqhkjOPQMBBwNCAASqGLmo4TH62s6ed3VBbDuj2wpqVEZqSQRynY8o/wEsskZzr5HgdbA3fByPFy"
                    + "xSPqUqmwYp+LPwtCNhoIyoYwDlo4HPMIHMMAwGA1UdEwEB/wQCMAAwDgYDVR0PAQH/BAQDAgeAMBMGA1UdJQQMMAoG"
                    + "CCsGAQUFBwMCMC8GA1UdEQQoMCaGJHVybjpmYWJyaWM6c3dpdGNoOjB4MDAwMDAwMDAwMDAwMDAyMDAdBgNVHQ4EFg"
                    + "QUws2dAAXmN4zhpSIRSpiWhn+nZEAwRwYDVR0jBEAwPoAUS2pPclkVzHtktVZuRyzbC0c+b52hFKQSMBAxDjAMBgNV"
                    + "BAMMBXRlc3RzghBuF/IDvouSFG8gzWNiEcegMAoGCCqGSM49BAMCA0kAMEYCIQCBU7YX0tEgWXK0Zfl54MWOc74nhd"
                    + "PYp7g3Qnao9HdA3QIhAOSizjh4KVaRUsuh3JC2n930KhFq8ITFZ4JfyklbTWqA";

    private static X509Certificate certificate(String base64) throws Exception {
        return (X509Certificate) CertificateFactory.getInstance("X.509")
                .generateCertificate(
                        new ByteArrayInputStream(Base64.getDecoder().decode(base64)));
    }

    private static CertificateWatch at(String now, String ofManager, X509Certificate... authorities) throws Exception {
        // Nobody asks for the key here.
        TlsKeys keys = new TlsKeys(
                List.of(certificate(ofManager)),
                KeyPairGenerator.getInstance("EC").generateKeyPair().getPrivate(),
                List.of(authorities));
        return new CertificateWatch(TlsEndpoint.ofManager(() -> keys), InstantSource.fixed(Instant.parse(now)));
    }

    @Test
    void shouldNameWhatEndsWithinThirtyDaysTheFirstOneFirst() throws Exception {
        CertificateWatch watch = at("2026-03-02T00:00:01Z", SECOND);

        assertThat(watch.ending(Stream.of(certificate(SECOND), certificate(FIRST))))
                .isEqualTo("certificates are valid only a short while: that of 0x0000000000000010 until"
                        + " 2026-03-02T00:00:00Z, that of 0x0000000000000020 until 2026-04-01T00:00:00Z, the manager's"
                        + " until 2026-04-01T00:00:00Z; an agent shows a new one when it connects again");
        assertThat(watch.secondsOfManager()).isEqualTo(30 * 86_400 - 1);
        assertThat(watch.secondsOfAgents(Stream.of(certificate(SECOND), certificate(FIRST))))
                .isEqualTo(-1);
    }

    @Test
    void shouldSayNothingWhileThereIsTime() throws Exception {
        CertificateWatch watch = at("2026-01-30T23:59:59Z", FIRST);

        assertThat(watch.ending(Stream.of(certificate(FIRST), certificate(SECOND))))
                .isEmpty();
        assertThat(watch.secondsOfAgents(Stream.empty())).isNaN();
    }

    /** Java believes an authority for ever, so nobody else would tell of it. */
    @Test
    void shouldNameAnAuthorityThatEnds() throws Exception {
        CertificateWatch watch = at("2026-02-28T00:00:00Z", SECOND, certificate(SECOND), certificate(FIRST));

        assertThat(watch.ending(Stream.empty()))
                .isEqualTo(
                        "certificates are valid only a short while: that of the authority CN=switch 0x0000000000000010"
                                + " until 2026-03-02T00:00:00Z");
        assertThat(watch.secondsOfAuthorities()).isEqualTo(2 * 86_400);
    }

    @Test
    void shouldCountWhatItDoesNotName() throws Exception {
        X509Certificate first = certificate(FIRST);

        assertThat(at("2026-03-01T00:00:00Z", FIRST).ending(Collections.nCopies(7, first).stream()))
                .endsWith(
                        "that of 0x0000000000000010 until 2026-03-02T00:00:00Z and 3 more; an agent shows a new one when it connects again");
    }

    @Test
    void shouldKnowNothingWithoutCertificates() {
        CertificateWatch watch = new CertificateWatch(null, InstantSource.system());

        assertThat(watch.ending(Stream.empty())).isEmpty();
        assertThat(watch.secondsOfManager()).isNaN();
    }
}
