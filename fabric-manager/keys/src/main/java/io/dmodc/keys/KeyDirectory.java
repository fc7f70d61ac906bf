package io.dmodc.keys;

import io.dmodc.southbound.tls.TlsFiles;
import io.dmodc.southbound.tls.TlsKeys;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemWriter;

/**
 * The directory of an authority: its certificate, its private key, and the key of the ring; and the directories it fills for
 * others. Directories and secrets are made for their owner alone; a file is replaced whole or not at all, and one of the
 * authority never.
 */
final class KeyDirectory {
    /** Name of the ring's key, in the authority's directory and in every other. */
    static final String RING_KEY = "detector.key";

    private static final String AUTHORITY_KEY = "authority-key.pem";
    private static final int RING_KEY_BYTES = 32;
    private static final FileAttribute<Set<PosixFilePermission>> OWNER_FILE = permissions("rw-------");
    private static final FileAttribute<Set<PosixFilePermission>> OWNER_DIRECTORY = permissions("rwx------");

    private final Path directory;

    KeyDirectory(Path directory) {
        this.directory = directory;
    }

    /** Makes a directory for its owner alone, of a name that begins like this one's, beside it. */
    static Path freshBeside(Path directory) throws IOException {
        Path whole = directory.toAbsolutePath().normalize();
        Path parent = Objects.requireNonNullElse(whole.getParent(), whole);
        Files.createDirectories(parent, OWNER_DIRECTORY);
        return Files.createTempDirectory(parent, whole.getFileName() + ".", OWNER_DIRECTORY);
    }

    private static FileAttribute<Set<PosixFilePermission>> permissions(String text) {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(text));
    }

    /**
     * Keeps a new authority here, and a new key of the ring unless there is one.
     *
     * @throws IOException in one line, and nothing is changed, when one is here already, or a part of one, or other keys
     */
    void init(Authority authority) throws IOException {
        Files.createDirectories(directory, OWNER_DIRECTORY);
        for (String name : List.of(AUTHORITY_KEY, TlsFiles.AUTHORITY, TlsFiles.CERTIFICATE, TlsFiles.PRIVATE_KEY)) {
            if (Files.exists(directory.resolve(name), LinkOption.NOFOLLOW_LINKS)) {
                throw taken(directory.resolve(name));
            }
        }
        if (Files.notExists(directory.resolve(RING_KEY))) {
            create(RING_KEY, ringKey());
        }
        create(AUTHORITY_KEY, privateKey(authority.own()));
        create(TlsFiles.AUTHORITY, certificates(authority.own().chain()));
    }

    private static IOException taken(Path file) {
        return new IOException(file + ": there is an authority already; expected a directory without one");
    }

    /** Makes a file that nobody made meanwhile. */
    private void create(String name, String text) throws IOException {
        Path file = directory.resolve(name);
        try (SeekableByteChannel fresh = Files.newByteChannel(
                file, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), OWNER_FILE)) {
            ByteBuffer bytes = StandardCharsets.US_ASCII.encode(text);
            while (bytes.hasRemaining()) {
                fresh.write(bytes);
            }
        } catch (FileAlreadyExistsException e) {
            throw taken(file);
        }
    }

    /** @throws IOException in one line when there is none, or it is damaged */
    Authority authority() throws IOException {
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

    /** Puts all that an agent or a manager needs here, also over what was here. */
    void fill(TlsKeys keys, String ringKey) throws IOException {
        Files.createDirectories(directory, OWNER_DIRECTORY);
        write(TlsFiles.AUTHORITY, certificates(keys.authorities()));
        write(RING_KEY, ringKey);
        write(TlsFiles.PRIVATE_KEY, privateKey(keys));
        write(TlsFiles.CERTIFICATE, certificates(keys.chain()));
    }

    private void write(String name, String text) throws IOException {
        Path fresh = Files.createTempFile(directory, name, ".new", OWNER_FILE);
        try {
            Files.writeString(fresh, text, StandardCharsets.US_ASCII);
            Files.move(
                    fresh,
                    directory.resolve(name),
                    StandardCopyOption.ATOMIC_MOVE,
                    StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(fresh);
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
