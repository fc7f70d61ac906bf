package io.dmodc.keys;

import io.dmodc.southbound.tls.TlsKeys;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jspecify.annotations.Nullable;

/** Certificates that {@link Authority} does not make. */
final class OddKeys {
    private OddKeys() {}

    static KeyPair pair(String kind) throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(kind.startsWith("RSA") ? "RSA" : "EC");
        if (kind.startsWith("RSA")) {
            generator.initialize(Integer.parseInt(kind.substring("RSA".length())));
        } else {
            generator.initialize(new ECGenParameterSpec(kind));
        }
        return generator.generateKeyPair();
    }

    /** @param purpose null: the certificate says nothing of it */
    static TlsKeys issued(
            Authority by,
            KeyPair pair,
            String subject,
            @Nullable KeyPurposeId purpose,
            List<GeneralName> names,
            Instant from)
            throws GeneralSecurityException {
        try {
            X509v3CertificateBuilder certificate =
                    builder(by.own().own().getSubjectX500Principal().getName(), pair, subject, from);
            if (purpose != null) {
                certificate.addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purpose));
            }
            if (!names.isEmpty()) {
                certificate.addExtension(
                        Extension.subjectAlternativeName, false, new GeneralNames(names.toArray(GeneralName[]::new)));
            }
            X509Certificate signed = signed(certificate, by.own().privateKey());
            return new TlsKeys(List.of(signed), pair.getPrivate(), by.own().authorities());
        } catch (CertIOException e) {
            throw new GeneralSecurityException(e);
        }
    }

    /** A certificate that signed itself, of an authority. */
    static X509Certificate authority(KeyPair pair, String name, Instant from) throws GeneralSecurityException {
        try {
            return signed(
                    builder("CN=" + name, pair, name, from)
                            .addExtension(Extension.basicConstraints, true, new BasicConstraints(true)),
                    pair.getPrivate());
        } catch (CertIOException e) {
            throw new GeneralSecurityException(e);
        }
    }

    /** A leaf behind which there are so many authorities of one name and key: each may have issued each other. */
    static List<X509Certificate> maze(KeyPair leaf, int authorities, Instant from) throws GeneralSecurityException {
        KeyPair pair = pair("secp256r1");
        List<X509Certificate> chain = new ArrayList<>();
        try {
            chain.add(signed(
                    builder("CN=A", leaf, "leaf", from)
                            .addExtension(
                                    Extension.extendedKeyUsage,
                                    false,
                                    new ExtendedKeyUsage(KeyPurposeId.id_kp_clientAuth)),
                    pair.getPrivate()));
        } catch (CertIOException e) {
            throw new GeneralSecurityException(e);
        }
        for (int i = 0; i < authorities; i++) {
            chain.add(authority(pair, "A", from));
        }
        return chain;
    }

    private static X509v3CertificateBuilder builder(String issuer, KeyPair pair, String subject, Instant from) {
        return new JcaX509v3CertificateBuilder(
                new X500Name(issuer),
                new BigInteger(127, new SecureRandom()),
                Date.from(from),
                Date.from(from.plus(Duration.ofDays(1))),
                new X500Name("CN=" + subject),
                pair.getPublic());
    }

    private static X509Certificate signed(X509v3CertificateBuilder certificate, PrivateKey by)
            throws GeneralSecurityException {
        String signature = "RSA".equals(by.getAlgorithm()) ? "SHA256withRSA" : "SHA256withECDSA";
        try {
            return new JcaX509CertificateConverter()
                    .getCertificate(certificate.build(new JcaContentSignerBuilder(signature).build(by)));
        } catch (OperatorCreationException e) {
            throw new GeneralSecurityException(e);
        }
    }
}
