package io.dmodc.southbound.tls;

import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLException;

/** The two ends of a connection, and what the certificate of each has to be for (RFC 5280, 4.2.1.12). */
enum TlsSide {
    MANAGER("1.3.6.1.5.5.7.3.1", "TLS servers"),
    AGENT("1.3.6.1.5.5.7.3.2", "TLS clients");

    private static final String VERSION = "TLSv1.3";

    private final String purpose;
    private final String purposeText;

    TlsSide(String purpose, String purposeText) {
        this.purpose = purpose;
        this.purposeText = purposeText;
    }

    TlsSide other() {
        return this == MANAGER ? AGENT : MANAGER;
    }

    /** What {@link #owns} asks for, for people. */
    String purposeText() {
        return purposeText;
    }

    /** True if the certificate says that it is for this side; one that says nothing is for neither. */
    boolean owns(X509Certificate certificate) {
        try {
            List<String> purposes = certificate.getExtendedKeyUsage();
            return purposes != null && purposes.contains(purpose);
        } catch (CertificateParsingException unreadable) {
            return false;
        }
    }

    /**
     * TLS 1.3 alone, certificates both ways.
     *
     * @param trusted authorities of the other side
     * @return one that may be reference-counted: each engine of it holds it, and whoever made it releases it
     * @throws SSLException when nothing can be made of these keys
     */
    SslContext context(TlsKeys own, List<X509Certificate> trusted, SslProvider provider) throws SSLException {
        try {
            return start(own)
                    .sslProvider(provider)
                    .protocols(VERSION)
                    .trustManager(trusted.toArray(X509Certificate[]::new))
                    .build();
        } catch (RuntimeException e) {
            throw new SSLException("nothing can be made of the keys: " + e.getMessage(), e);
        }
    }

    private SslContextBuilder start(TlsKeys own) {
        return this == MANAGER
                ? SslContextBuilder.forServer(own.privateKey(), own.chain().toArray(X509Certificate[]::new))
                        .clientAuth(ClientAuth.REQUIRE)
                : SslContextBuilder.forClient()
                        .keyManager(new OneKeyManager(own))
                        .endpointIdentificationAlgorithm("HTTPS");
    }

    /** BoringSSL where its library is there. */
    static SslProvider bestProvider() {
        return OpenSsl.isAvailable() && SslProvider.isTlsv13Supported(SslProvider.OPENSSL)
                ? SslProvider.OPENSSL
                : SslProvider.JDK;
    }
}
