package io.dmodc.southbound.tls;

import io.dmodc.southbound.BoundedText;
import io.dmodc.southbound.Guids;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * What a certificate speaks for, by its subject alternative names: switches by kind URI, {@code urn:fabric:switch:0x} and
 * sixteen digits.
 */
public final class CertificateNames {
    private static final String PREFIX = "urn:fabric:switch:";
    private static final Pattern URI = Pattern.compile(Pattern.quote(PREFIX) + "0x([0-9a-fA-F]{16})");

    /** GeneralName of RFC 5280: uniformResourceIdentifier. */
    private static final int KIND_URI = 6;

    private static final int KIND_DNS = 2;

    private static final int HEX = 16;

    private CertificateNames() {}

    /** Whose it says it is, in a piece of one line for people: whoever had it made chose that, ends of lines too. */
    public static String subject(X509Certificate certificate) {
        return BoundedText.shown(certificate.getSubjectX500Principal().toString());
    }

    /** The name of a switch in its agent's certificate. */
    public static String uri(long guid) {
        return PREFIX + Guids.text(guid);
    }

    /** The switches this certificate names; none when it names none, or its names cannot be read. */
    public static Set<Long> of(X509Certificate certificate) {
        Set<Long> guids = new TreeSet<>(Long::compareUnsigned);
        for (List<?> name : names(certificate)) {
            if (Integer.valueOf(KIND_URI).equals(name.get(0)) && name.get(1) instanceof String uri) {
                var match = URI.matcher(uri);
                if (match.matches()) {
                    guids.add(Long.parseUnsignedLong(match.group(1), HEX));
                }
            }
        }
        return guids;
    }

    /** True if it names a host; else Java would look for one in the subject, which is for people. */
    static boolean nameHost(X509Certificate certificate) {
        return names(certificate).stream()
                .anyMatch(name -> Integer.valueOf(KIND_DNS).equals(name.get(0)));
    }

    private static Collection<List<?>> names(X509Certificate certificate) {
        try {
            Collection<List<?>> names = certificate.getSubjectAlternativeNames();
            return names == null ? List.of() : names;
        } catch (CertificateParsingException unreadable) {
            return List.of();
        }
    }
}
