package io.dmodc.southbound.tls;

import io.dmodc.settings.Reasons;
import io.dmodc.southbound.BoundedText;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What one side shows the other, and by what it knows it. Immutable; nothing here prints the private key.
 *
 * @param chain the certificate of this side first, at least one
 * @param privateKey of the first certificate
 * @param authorities that the other side's certificate may come from, at least one
 */
public record TlsKeys(List<X509Certificate> chain, PrivateKey privateKey, List<X509Certificate> authorities) {
    private static final int FILE_BYTES_MAX = 1 << 20;
    private static final String MAKE = "; fabric-manager keys makes them";
    private static final Pattern PRIVATE_KEY =
            Pattern.compile("-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");
    private static final List<String> ALGORITHMS = List.of("EC", "RSA");
    private static final byte[] PROBE = "of one pair".getBytes(StandardCharsets.US_ASCII);

    public TlsKeys {
        chain = List.copyOf(chain);
        authorities = List.copyOf(authorities);
    }

    /**
     * Reads all three files.
     *
     * @throws IOException in one line that names the file: it cannot be read, others may read the private key, it holds
     *     something else, or certificate and key are not a pair
     */
    public static TlsKeys read(TlsFiles files) throws IOException {
        List<X509Certificate> chain = certificates(files.certificate());
        PrivateKey key = privateKey(files.privateKey());
        if (!arePair(files, chain.get(0), key)) {
            throw new IOException(files.privateKey() + ": not the key of the certificate in " + files.certificate());
        }
        return new TlsKeys(chain, key, certificates(files.authority()));
    }

    /** The certificate of this side. */
    public X509Certificate own() {
        return chain.get(0);
    }

    /** Those of the authorities that are valid at this time. */
    List<X509Certificate> authoritiesAt(Instant now) {
        return authorities.stream().filter(one -> isValid(one, now)).toList();
    }

    static boolean isValid(X509Certificate certificate, Instant now) {
        return !now.isBefore(certificate.getNotBefore().toInstant())
                && !now.isAfter(certificate.getNotAfter().toInstant());
    }

    private static List<X509Certificate> certificates(Path file) throws IOException {
        byte[] bytes = bytes(file, "a certificate");
        try {
            List<X509Certificate> all =
                    CertificateFactory.getInstance("X.509")
                            .generateCertificates(new ByteArrayInputStream(bytes))
                            .stream()
                            .map(X509Certificate.class::cast)
                            .toList();
            if (all.isEmpty()) {
                throw new IOException(file + ": no certificate, expected PEM (BEGIN CERTIFICATE)");
            }
            return all;
        } catch (CertificateException | RuntimeException e) {
            // Java's readers of certificates throw both at damaged ones.
            throw new IOException(
                    file + ": no certificate (" + BoundedText.shown(String.valueOf(e.getMessage()))
                            + "), expected PEM (BEGIN CERTIFICATE)",
                    e);
        }
    }

    private static PrivateKey privateKey(Path file) throws IOException {
        byte[] bytes = bytes(file, "a private key");
        checkPermissions(file);
        Matcher pem = PRIVATE_KEY.matcher(new String(bytes, StandardCharsets.ISO_8859_1));
        if (!pem.find()) {
            throw new IOException(
                    file + ": no private key, expected PKCS #8 without a password (BEGIN PRIVATE KEY); to make"
                            + " it of another form: openssl pkcs8 -topk8 -nocrypt");
        }
        PKCS8EncodedKeySpec encoded = new PKCS8EncodedKeySpec(decoded(file, pem.group(1)));
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(encoded);
            } catch (InvalidKeySpecException another) {
                // It may be a key of the next algorithm.
            } catch (GeneralSecurityException | RuntimeException e) {
                throw new IOException(file + ": damaged (" + e.getMessage() + "), expected a private key", e);
            }
        }
        throw new IOException(file + ": no private key of " + String.join(" or ", ALGORITHMS));
    }

    private static byte[] decoded(Path file, String base64) throws IOException {
        try {
            return Base64.getMimeDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            throw new IOException(file + ": damaged (" + e.getMessage() + "), expected a private key", e);
        }
    }

    private static byte[] bytes(Path file, String expected) throws IOException {
        try {
            if (Files.size(file) > FILE_BYTES_MAX) {
                throw new IOException("more than " + FILE_BYTES_MAX + " bytes");
            }
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw new IOException(file + ": no such file, expected " + expected + MAKE, e);
        } catch (IOException e) {
            throw new IOException(file + ": cannot be read (" + Reasons.of(e) + "), expected " + expected, e);
        }
    }

    private static void checkPermissions(Path file) throws IOException {
        if (!Files.getFileStore(file).supportsFileAttributeView("posix")) {
            return;
        }
        Set<PosixFilePermission> granted = Files.getPosixFilePermissions(file);
        if (granted.contains(PosixFilePermission.OTHERS_READ) || granted.contains(PosixFilePermission.OTHERS_WRITE)) {
            throw new IOException(file + ": permissions " + PosixFilePermissions.toString(granted)
                    + ", expected none for others (chmod o= " + file + ")");
        }
    }

    private static boolean arePair(TlsFiles files, X509Certificate certificate, PrivateKey key) throws IOException {
        try {
            String algorithm = key.getAlgorithm();
            if (!algorithm.equals(certificate.getPublicKey().getAlgorithm())) {
                return false;
            }
            Signature signature = Signature.getInstance("SHA256with" + ("EC".equals(algorithm) ? "ECDSA" : algorithm));
            signature.initSign(key);
            signature.update(PROBE);
            byte[] signed = signature.sign();
            signature.initVerify(certificate.getPublicKey());
            signature.update(PROBE);
            return signature.verify(signed);
        } catch (GeneralSecurityException | RuntimeException e) {
            // Java hands out certificates whose key it cannot read.
            throw new IOException(
                    files.certificate() + ", " + files.privateKey() + ": cannot be used: " + e.getMessage(), e);
        }
    }

    @Override
    public String toString() {
        return "certificate of " + CertificateNames.subject(own());
    }
}
