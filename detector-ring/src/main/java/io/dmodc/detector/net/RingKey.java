package io.dmodc.detector.net;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The secret all members of a ring share: who does not hold it can neither make a datagram nor change one unnoticed.
 *
 * <p>Immutable and safe to share between any number of endpoints and threads. Never printed: no message and no {@link
 * #toString} shows any of it.
 */
public final class RingKey {
    /** Fewest bytes of a secret. */
    public static final int BYTES_MIN = 16;

    /** Most bytes of a secret: one block of SHA-256. */
    public static final int BYTES_MAX = 64;

    private static final int BYTES_RANDOM = 32;
    private static final int FILE_BYTES_MAX = 4096;
    private static final Pattern HEX = Pattern.compile("(?:[0-9a-fA-F]{2})+");
    private static final RingKey NONE = new RingKey(new byte[0]);

    private final byte[] secret;

    private RingKey(byte[] secret) {
        this.secret = secret;
    }

    /**
     * A key of these bytes.
     *
     * @throws IllegalArgumentException in one line, if there are not {@link #BYTES_MIN}..{@link #BYTES_MAX} of them
     */
    public static RingKey of(byte[] secret) {
        return new RingKey(checked(secret.clone(), "ring key"));
    }

    /** A new key from the system's source of secrets, for rings that live in one process. */
    public static RingKey random() {
        byte[] secret = new byte[BYTES_RANDOM];
        new SecureRandom().nextBytes(secret);
        return new RingKey(secret);
    }

    /**
     * No authentication: datagrams carry zeros where the MAC stands, and anything else there is refused, so that a
     * member with a key and one without never understand each other. Whoever reaches the sockets of such a ring can
     * declare any agent dead.
     */
    public static RingKey none() {
        return NONE;
    }

    /**
     * Reads a key from a file: one line, hex (if it has nothing but hex digits, two a byte) or base64; empty lines and
     * lines that start with {@code #} do not count. {@code openssl rand -hex 32} makes one.
     *
     * @throws IOException in one line that starts with the file's name and, where there is one, the line's number: if it
     *     cannot be read, others than its owner and group may read it, or what it holds is not one key
     */
    public static RingKey read(Path file) throws IOException {
        List<String> lines = lines(file);
        checkPermissions(file);
        byte[] secret = null;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            String place = file + ":" + (i + 1);
            if (secret != null) {
                throw new IOException(place + ": a second key, expected one");
            }
            secret = decoded(line, place);
        }
        if (secret == null) {
            throw new IOException(file + ": no key, expected one line of hex or base64");
        }
        return new RingKey(secret);
    }

    /** False only for {@link #none}. */
    public boolean authenticates() {
        return secret.length > 0;
    }

    /** A calculator of MACs under this key, for one thread. */
    public DatagramMac newMac() {
        return new DatagramMac(secret);
    }

    private static List<String> lines(Path file) throws IOException {
        try {
            if (Files.size(file) > FILE_BYTES_MAX) {
                throw new IOException("more than " + FILE_BYTES_MAX + " bytes");
            }
            return Files.readAllLines(file, StandardCharsets.UTF_8);
        } catch (NoSuchFileException e) {
            throw new IOException(
                    file + ": no such file; make a key with: (umask 077; head -c 32 /dev/urandom | base64 > " + file
                            + "), the same for the manager and all agents",
                    e);
        } catch (IOException e) {
            throw new IOException(file + ": cannot be read (" + e.getMessage() + "), expected a ring key", e);
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

    private static byte[] decoded(String text, String place) throws IOException {
        try {
            boolean isHex = HEX.matcher(text).matches();
            byte[] bytes =
                    isHex ? HexFormat.of().parseHex(text) : Base64.getDecoder().decode(text);
            return checked(bytes, place);
        } catch (IllegalArgumentException e) {
            String problem = String.valueOf(e.getMessage());
            throw new IOException(
                    problem.startsWith(place) ? problem : place + ": neither hex nor base64, expected one of them", e);
        }
    }

    private static byte[] checked(byte[] secret, String place) {
        if (secret.length < BYTES_MIN || secret.length > BYTES_MAX) {
            throw new IllegalArgumentException(
                    place + ": " + secret.length + " bytes, expected " + BYTES_MIN + ".." + BYTES_MAX);
        }
        return secret;
    }

    @Override
    public String toString() {
        return authenticates() ? "ring key of " + secret.length + " bytes" : "no ring key";
    }
}
