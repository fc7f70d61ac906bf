package io.dmodc.keys;

import io.dmodc.settings.FreshFiles;
import io.dmodc.southbound.tls.TlsFiles;
import io.dmodc.southbound.tls.TlsKeys;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemWriter;

/**
 * The directory of an authority: its certificate, its private key, and the key of the ring; and the directories it fills for
 * others. Directories and secrets are made for their owner alone; the files of one are made or replaced together or not at all, and those
 * of the authority never replaced.
 */
final class KeyDirectory {
    /** Name of the ring's key, in the authority's directory and in every other. */
    static final String RING_KEY = "detector.key";

    private static final String AUTHORITY_KEY = "authority-key.pem";
    private static final int RING_KEY_BYTES = 32;

    private static final List<String> NAMES =
            List.of(AUTHORITY_KEY, TlsFiles.AUTHORITY, TlsFiles.CERTIFICATE, TlsFiles.PRIVATE_KEY, RING_KEY);

    private final Path directory;

    KeyDirectory(Path directory) {
        this.directory = directory;
    }

    /**
     * Keeps a new authority here, and a new key of the ring unless there is one.
     *
     * @throws IOException in one line, and nothing is changed, when one is here already, or a part of one, or other keys
     */
    void init(Authority authority) throws IOException {
        discardLeft();
        requireWhole();
        for (String name : NAMES) {
            if (!name.equals(RING_KEY) && Files.exists(directory.resolve(name), LinkOption.NOFOLLOW_LINKS)) {
                throw taken(directory.resolve(name));
            }
        }
        try (StagedFiles files = new StagedFiles(directory)) {
            if (Files.notExists(directory.resolve(RING_KEY))) {
                files.add(RING_KEY, ringKey());
            }
            files.add(AUTHORITY_KEY, privateKey(authority.own()));
            files.add(TlsFiles.AUTHORITY, certificates(authority.own().chain()));
            files.create();
        } catch (FileAlreadyExistsException e) {
            throw taken(Path.of(e.getFile()));
        }
    }

    private static IOException taken(Path file) {
        return new IOException(file + ": there is an authority already; expected a directory without one");
    }

    /** Takes away the secrets that a run left which was killed. */
    private void discardLeft() throws IOException {
        for (String name : NAMES) {
            FreshFiles.discardLeft(directory.resolve(name));
        }
    }

    /** An init that was killed may leave a key of which nobody has seen the certificate; so may people who mislay one. */
    private void requireWhole() throws IOException {
        Path key = directory.resolve(AUTHORITY_KEY);
        if (Files.exists(key) && Files.notExists(directory.resolve(TlsFiles.AUTHORITY))) {
            throw new IOException(
                    key + ": the key of an authority without its " + TlsFiles.AUTHORITY
                            + ": an init was ended, or a file was lost; expected both: put that one back, or take this one away for a new authority");
        }
    }

    /** @throws IOException in one line when there is none, a part of one, or it is damaged */
    Authority authority() throws IOException {
        discardLeft();
        requireWhole();
        Path certificate = directory.resolve(TlsFiles.AUTHORITY);
        if (Files.notExists(certificate)) {
            throw new IOException(
                    certificate + ": no such file, expected an authority; fabric-manager keys init makes one");
        }
        return Authority.read(certificate, directory.resolve(AUTHORITY_KEY));
    }

    /** The key of the ring, as its file has it. */
    String ringKeyText() throws IOException {
        return Files.readString(directory.resolve(RING_KEY), StandardCharsets.US_ASCII);
    }

    /** Puts all that an agent or a manager needs here, also over what was here; all of it or nothing. */
    void fill(TlsKeys keys, String ringKey) throws IOException {
        discardLeft();
        try (StagedFiles files = new StagedFiles(directory)) {
            files.add(TlsFiles.AUTHORITY, certificates(keys.authorities()));
            files.add(RING_KEY, ringKey);
            files.add(TlsFiles.PRIVATE_KEY, privateKey(keys));
            files.add(TlsFiles.CERTIFICATE, certificates(keys.chain()));
            files.replace();
        }
    }

    private static String ringKey() {
        byte[] secret = new byte[RING_KEY_BYTES];
        new SecureRandom().nextBytes(secret);
        return Base64.getEncoder().encodeToString(secret) + "\n";
    }

    private static String certificates(List<X509Certificate> certificates) throws IOException {
        try {
            StringBuilder text = new StringBuilder();
            for (X509Certificate certificate : certificates) {
                text.append(pem("CERTIFICATE", certificate.getEncoded()));
            }
            return text.toString();
        } catch (GeneralSecurityException e) {
            throw new IOException("a certificate cannot be written: " + e.getMessage(), e);
        }
    }

    private static String privateKey(TlsKeys keys) throws IOException {
        return pem("PRIVATE KEY", keys.privateKey().getEncoded());
    }

    private static String pem(String kind, byte[] bytes) throws IOException {
        StringWriter text = new StringWriter();
        try (PemWriter pem = new PemWriter(text)) {
            pem.writeObject(new PemObject(kind, bytes));
        }
        return text.toString();
    }
}
