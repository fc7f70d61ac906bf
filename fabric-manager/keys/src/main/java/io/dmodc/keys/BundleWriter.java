package io.dmodc.keys;

import io.dmodc.southbound.tls.TlsFiles;
import io.dmodc.southbound.tls.TlsKeys;
import io.dmodc.topology.Guid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Fills a directory for each switch and for the manager, below one directory. */
final class BundleWriter {
    private final Authority authority;
    private final String ringKey;
    private final Path below;
    private final Instant now;
    private final Duration valid;

    BundleWriter(KeyDirectory authority, Path below, Instant now, Duration valid) throws IOException {
        this.authority = authority.authority();
        this.ringKey = authority.ringKeyText();
        this.below = below;
        this.now = now;
        this.valid = valid;
    }

    /** Returns the directory. */
    Path writeSwitch(long guid) throws IOException {
        Path directory = below.resolve(Guid.format(guid));
        new KeyDirectory(directory).fill(authority.forSwitch(guid, now, valid), ringKey);
        return directory;
    }

    /**
     * Returns the directory.
     *
     * @throws IOException in one line, and nothing is changed, when the one that is there is of a manager with another name
     */
    Path writeManager(List<String> names) throws IOException {
        Path directory = below.resolve("manager");
        TlsKeys keys = authority.forManager(names, now, valid);
        if (Files.exists(directory.resolve(TlsFiles.CERTIFICATE))) {
            Set<String> before = names(TlsKeys.read(TlsFiles.in(directory)).own());
            if (!names(keys.own()).containsAll(before)) {
                throw new IOException(directory + ": there are keys of the manager " + String.join(", ", before)
                        + "; expected all these names again, or another directory (--out)");
            }
        }
        new KeyDirectory(directory).fill(keys, ringKey);
        return directory;
    }

    private static Set<String> names(X509Certificate certificate) throws IOException {
        try {
            Collection<List<?>> names = certificate.getSubjectAlternativeNames();
            return names == null
                    ? Set.of()
                    : names.stream()
                            .map(name -> String.valueOf(name.get(1)))
                            .collect(Collectors.toCollection(TreeSet::new));
        } catch (CertificateParsingException e) {
            throw new IOException("names of a certificate cannot be read: " + e.getMessage(), e);
        }
    }
}
