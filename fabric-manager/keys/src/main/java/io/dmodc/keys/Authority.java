package io.dmodc.keys;

import io.dmodc.southbound.tls.CertificateNames;
import io.dmodc.southbound.tls.TlsFiles;
import io.dmodc.southbound.tls.TlsKeys;
import io.dmodc.topology.Guid;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.regex.Pattern;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * Says which key speaks for which switch, and which for the manager. Keys are of P-256, certificates are signed with SHA-256 and
 * ECDSA, or RSA if the authority's own key is of that. Switches have certificates for clients alone and the manager for servers alone, so that no switch can pass for a
 * manager. Safe to use from several threads.
 */
public final class Authority {
    /** Of the certificate of a new authority. */
    public static final Duration AUTHORITY_VALID = Duration.ofDays(3650);

    /** Clocks of switches that are behind must not refuse a new certificate. */
    private static final Duration CLOCKS_APART = Duration.ofDays(1);

    private static final int SERIAL_BITS = 127;
    private static final Pattern ADDRESS = Pattern.compile("[0-9.]+|[0-9a-fA-F:.]*:[0-9a-fA-F:.]*");
    /** As Java compares them: a name with an underscore would match no manager. */
    private static final Pattern HOST = Pattern.compile(
            "(?=.{1,253}$)[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?(\\.[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?)*");

    private final SecureRandom random = new SecureRandom();
    private final TlsKeys own;

    private Authority(TlsKeys own) {
        this.own = own;
    }

    /** Makes a new authority. */
    public static Authority create(String name, Instant now) {
        KeyPair pair = pair();
        X500Name subject = name(name);
        try {
            X509v3CertificateBuilder certificate = new JcaX509v3CertificateBuilder(
                            subject,
                            serial(new SecureRandom()),
                            Date.from(now.minus(CLOCKS_APART)),
                            Date.from(now.plus(AUTHORITY_VALID)),
                            subject,
                            pair.getPublic())
                    .addExtension(Extension.basicConstraints, true, new BasicConstraints(0))
                    .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign))
                    .addExtension(
                            Extension.subjectKeyIdentifier,
                            false,
                            new JcaX509ExtensionUtils().createSubjectKeyIdentifier(pair.getPublic()));
            List<X509Certificate> chain = List.of(signed(certificate, pair.getPrivate()));
            return new Authority(new TlsKeys(chain, pair.getPrivate(), chain));
        } catch (GeneralSecurityException | CertIOException e) {
            throw new IllegalStateException("no authority can be made: " + e.getMessage(), e);
        }
    }

    /**
     * Reads an authority.
     *
     * @throws IOException in one line that names the file that cannot be used
     */
    public static Authority read(Path certificate, Path privateKey) throws IOException {
        TlsKeys own = TlsKeys.read(new TlsFiles(certificate, privateKey, certificate));
        if (own.own().getBasicConstraints() < 0) {
            throw new IOException(certificate + ": is not that of an authority; expected CA in its basic constraints");
        }
        return new Authority(own);
    }

    /** Its certificate and key. */
    TlsKeys own() {
        return own;
    }

    /**
     * Makes a key for a switch's agent, and its certificate.
     *
     * @param valid from {@code now} on, and never longer than the authority
     * @throws IllegalArgumentException in one line when the authority is over
     */
    public TlsKeys forSwitch(long guid, Instant now, Duration valid) {
        GeneralName name = new GeneralName(GeneralName.uniformResourceIdentifier, CertificateNames.uri(guid));
        return issued("switch " + Guid.format(guid), List.of(name), KeyPurposeId.id_kp_clientAuth, now, valid);
    }

    /**
     * Makes a key for a manager, and its certificate.
     *
     * @param names host names and addresses by which agents connect to it, at least one
     * @param valid from {@code now} on, and never longer than the authority
     * @throws IllegalArgumentException in one line when a name is neither, or the authority is over
     */
    public TlsKeys forManager(List<String> names, Instant now, Duration valid) {
        List<GeneralName> all = names.stream().map(Authority::hostName).toList();
        return issued("fabric manager", all, KeyPurposeId.id_kp_serverAuth, now, valid);
    }

    private static GeneralName hostName(String name) {
        try {
            if (ADDRESS.matcher(name).matches()) {
                return new GeneralName(GeneralName.iPAddress, name);
            }
            if (HOST.matcher(name).matches()) {
                return new GeneralName(GeneralName.dNSName, name);
            }
        } catch (IllegalArgumentException notAnAddress) {
            // As below.
        }
        throw new IllegalArgumentException("'" + name
                + "': expected the GUID of a switch (0x…), or a host name or an address" + " of the manager");
    }

    private TlsKeys issued(String whose, List<GeneralName> names, KeyPurposeId purpose, Instant now, Duration valid) {
        Instant over = own.own().getNotAfter().toInstant();
        if (!now.isBefore(over)) {
            throw new IllegalArgumentException("the authority " + CertificateNames.subject(own.own())
                    + " is over since " + over + "; expected one that is valid");
        }
        Instant until = now.plus(valid).isBefore(over) ? now.plus(valid) : over;
        KeyPair pair = pair();
        try {
            JcaX509ExtensionUtils identifiers = new JcaX509ExtensionUtils();
            X509v3CertificateBuilder certificate = new JcaX509v3CertificateBuilder(
                            own.own(),
                            serial(random),
                            Date.from(now.minus(CLOCKS_APART)),
                            Date.from(until),
                            name(whose),
                            pair.getPublic())
                    .addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
                    .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
                    .addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purpose))
                    .addExtension(
                            Extension.subjectAlternativeName,
                            false,
                            new GeneralNames(names.toArray(GeneralName[]::new)))
                    .addExtension(
                            Extension.subjectKeyIdentifier,
                            false,
                            identifiers.createSubjectKeyIdentifier(pair.getPublic()))
                    .addExtension(
                            Extension.authorityKeyIdentifier,
                            false,
                            identifiers.createAuthorityKeyIdentifier(own.own()));
            return new TlsKeys(List.of(signed(certificate, own.privateKey())), pair.getPrivate(), own.authorities());
        } catch (GeneralSecurityException | CertIOException e) {
            throw new IllegalStateException("no certificate can be made: " + e.getMessage(), e);
        }
    }

    private static X509Certificate signed(X509v3CertificateBuilder certificate, PrivateKey by)
            throws GeneralSecurityException {
        String signature = "RSA".equals(by.getAlgorithm()) ? "SHA256withRSA" : "SHA256withECDSA";
        try {
            return new JcaX509CertificateConverter()
                    .getCertificate(certificate.build(new JcaContentSignerBuilder(signature).build(by)));
        } catch (OperatorCreationException e) {
            throw new GeneralSecurityException(e.getMessage(), e);
        }
    }

    private static KeyPair pair() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has P-256", e);
        }
    }

    private static BigInteger serial(SecureRandom random) {
        return new BigInteger(SERIAL_BITS, random).add(BigInteger.ONE);
    }

    private static X500Name name(String commonName) {
        return new X500NameBuilder(BCStyle.INSTANCE)
                .addRDN(BCStyle.CN, commonName)
                .build();
    }
}
