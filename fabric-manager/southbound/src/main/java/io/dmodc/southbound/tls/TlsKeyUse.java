package io.dmodc.southbound.tls;

import io.dmodc.southbound.Guids;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.util.ReferenceCountUtil;
import java.io.IOException;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.cert.X509Certificate;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.ECParameterSpec;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Whether keys can do what one side needs them for. What is refused here would otherwise be noticed only by the connections
 * that fail. All failures are one line that names the file.
 */
public final class TlsKeyUse {
    private static final int RSA_BITS_MIN = 2048;
    private static final List<String> CURVES = List.of("secp256r1", "secp384r1");

    /** In the key usage of RFC 5280. */
    private static final int DIGITAL_SIGNATURE = 0;

    private final TlsSide side;
    private final @Nullable Long guid;

    private TlsKeyUse(TlsSide side, @Nullable Long guid) {
        this.side = side;
        this.guid = guid;
    }

    /** The manager's. */
    public static TlsKeyUse ofManager() {
        return new TlsKeyUse(TlsSide.MANAGER, null);
    }

    /** @param guid of the agent's switch, which the certificate must name; null: any */
    public static TlsKeyUse ofAgent(@Nullable Long guid) {
        return new TlsKeyUse(TlsSide.AGENT, guid);
    }

    /**
     * Checks all but the dates: what the certificate is for, that TLS 1.3 has its kind of key, that authorities are as they
     * signed themselves, and that a context can be made.
     */
    void check(TlsFiles files, TlsKeys keys) throws IOException {
        X509Certificate own = keys.own();
        if (!side.owns(own)) {
            throw new IOException(
                    files.certificate() + ": is not for " + side.purposeText() + "; expected that extended key usage");
        }
        boolean[] usage = own.getKeyUsage();
        if (usage != null && !usage[DIGITAL_SIGNATURE]) {
            throw new IOException(
                    files.certificate() + ": is not for signatures; expected digitalSignature in its key usage");
        }
        if (guid != null && !CertificateNames.of(own).contains(guid)) {
            throw new IOException(files.certificate() + ": is not for switch " + Guids.text(guid)
                    + "; expected the name " + CertificateNames.uri(guid) + " in it");
        }
        if (!isOfTls13(own.getPublicKey())) {
            throw new IOException(files.certificate() + ": expected a key of P-256, P-384, or RSA of at least "
                    + RSA_BITS_MIN + " bits");
        }
        for (X509Certificate authority : keys.authorities()) {
            checkWhole(files, authority);
        }
        try {
            SslContext context = side.context(keys, keys.authorities(), TlsSide.bestProvider());
            try {
                ReferenceCountUtil.release(context.newEngine(UnpooledByteBufAllocator.DEFAULT));
            } finally {
                ReferenceCountUtil.release(context);
            }
        } catch (SSLException | RuntimeException e) {
            throw new IOException(
                    files.certificate() + ", " + files.authority() + ": TLS cannot use them: " + TlsHandshake.text(e),
                    e);
        }
    }

    /** An authority that signed itself shows whether it was damaged since. */
    private static void checkWhole(TlsFiles files, X509Certificate authority) throws IOException {
        if (!authority.getSubjectX500Principal().equals(authority.getIssuerX500Principal())) {
            return;
        }
        try {
            authority.verify(authority.getPublicKey());
        } catch (GeneralSecurityException | RuntimeException e) {
            throw new IOException(
                    files.authority() + ": " + CertificateNames.subject(authority)
                            + " is damaged: it is not as it signed itself",
                    e);
        }
    }

    /** Checks that now is between the dates of the certificate, and of an authority. */
    void checkDates(TlsFiles files, TlsKeys keys, Instant now) throws IOException {
        for (X509Certificate certificate : keys.chain()) {
            if (!TlsKeys.isValid(certificate, now)) {
                throw new IOException(files.certificate() + ": " + dates(certificate));
            }
        }
        if (keys.authoritiesAt(now).isEmpty()) {
            throw new IOException(files.authority() + ": no authority is valid now: "
                    + dates(keys.authorities().get(0)));
        }
    }

    private static String dates(X509Certificate certificate) {
        return CertificateNames.subject(certificate) + " is valid from "
                + certificate.getNotBefore().toInstant() + " until "
                + certificate.getNotAfter().toInstant();
    }

    private static boolean isOfTls13(PublicKey key) {
        if (key instanceof RSAPublicKey rsa) {
            return rsa.getModulus().bitLength() >= RSA_BITS_MIN;
        }
        return key instanceof ECPublicKey ec
                && CURVES.stream()
                        .anyMatch(name ->
                                ec.getParams().getCurve().equals(curve(name).getCurve()));
    }

    private static ECParameterSpec curve(String name) {
        try {
            AlgorithmParameters parameters = AlgorithmParameters.getInstance("EC");
            parameters.init(new ECGenParameterSpec(name));
            return parameters.getParameterSpec(ECParameterSpec.class);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + name, e);
        }
    }
}
