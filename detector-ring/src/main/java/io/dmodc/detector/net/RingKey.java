package io.dmodc.detector.net;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The secret all members of a ring share: who does not hold it can neither make a datagram nor change one unnoticed. And,
 * while they change it for another, a second one, in which they are believed too.
 *
 * <p>Immutable and safe to share between any number of endpoints and threads. Never printed: no message and no {@link
 * #toString} shows any of it.
 */
public final class RingKey {
    /** Fewest bytes of a secret. */
    public static final int BYTES_MIN = 16;

    /** Most bytes of a secret: one block of SHA-256. */
    public static final int BYTES_MAX = 64;

    /** Keys in a file: the one that sends, and one that is accepted while all are given another. */
    private static final int KEYS_MAX = 2;

    private static final int BYTES_RANDOM = 32;
    private static final int FILE_BYTES_MAX = 4096;
    private static final Pattern HEX = Pattern.compile("(?:[0-9a-fA-F]{2})+");
    private static final byte[] NO_SECRET = {};
    private static final RingKey NONE = new RingKey(NO_SECRET, NO_SECRET);

    private final byte[] secret;
    /** Of a second key that is accepted, or empty. */
    private final byte[] accepted;

    private RingKey(byte[] secret, byte[] accepted) {
        this.secret = secret;
        this.accepted = accepted;
    }

    /**
     * A key of these bytes.
     *
     * @throws IllegalArgumentException in one line, if there are not {@link #BYTES_MIN}..{@link #BYTES_MAX} of them
     */
    public static RingKey of(byte[] secret) {
        return new RingKey(checked(secret.clone(), "ring key"), NO_SECRET);
    }

    /**
     * Sends under this key and accepts the other one as well; what the other one accepts does not count.
     *
     * @throws IllegalArgumentException in one line, if one of them is none
     */
    public RingKey accepting(RingKey other) {
        if (!authenticates() || !other.authenticates()) {
            throw new IllegalArgumentException("ring key: none beside another, expected two keys");
        }
        return new RingKey(secret, other.secret);
    }

    /** A new key from the system's source of secrets, for rings that live in one process. */
    public static RingKey random() {
        byte[] secret = new byte[BYTES_RANDOM];
        new SecureRandom().nextBytes(secret);
        return new RingKey(secret, NO_SECRET);
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
     * Reads a file of one key or two, one a line: the first sends, both are accepted. Hex (if a line has nothing but hex
     * digits, two a byte) or base64; empty lines and lines that start with {@code #} do not count. {@code openssl rand
     * -hex 32} makes one.
     *
     * @throws IOException in one line that starts with the file's name and, where there is one, the line's number: if it
     *     cannot be read, others than its owner and group may read it, or what it holds is not one key, or two different
     *     ones
     */
    public static RingKey read(Path file) throws IOException {
        List<String> lines = lines(file);
        checkPermissions(file);
        List<byte[]> secrets = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                addKey(secrets, line, file + ":" + (i + 1));
            }
        }
        if (secrets.isEmpty()) {
            throw new IOException(file + ": no key, expected a line of hex or base64");
        }
        return new RingKey(secrets.get(0), secrets.size() == KEYS_MAX ? secrets.get(1) : NO_SECRET);
    }

    private static void addKey(List<byte[]> secrets, String line, String place) throws IOException {
        if (secrets.size() == KEYS_MAX) {
            throw new IOException(place + ": a third key, expected the one that sends and one more that is accepted");
        }
        byte[] secret = decoded(line, place);
        if (!secrets.isEmpty() && MessageDigest.isEqual(secret, secrets.get(0))) {
            throw new IOException(place + ": the first key again, expected another one, or none");
        }
        secrets.add(secret);
    }

    /** False only for {@link #none}. */
    public boolean authenticates() {
        return secret.length > 0;
    }

    /** A calculator of MACs under this key, for one thread. */
    public DatagramMac newMac() {
        return new DatagramMac(secret, accepted);
    }

    private static List<String> lines(Path file) throws IOException {
        try {
            if (Files.size(file) > FILE_BYTES_MAX) {
                throw new IOException("more than " + FILE_BYTES_MAX + " bytes");
            }
            return Files.readAllLines(file, StandardCharsets.UTF_8);
        } catch (NoSuchFileException e) {
            throw new IOException(
                    file + ": no such file, expected the ring's key, the same for the manager and all agents;"
                            + " fabric-manager keys makes it",
                    e);
        } catch (IOException e) {
            String why = e instanceof AccessDeniedException ? "permission denied" : e.getMessage();
            throw new IOException(file + ": cannot be read (" + why + "), expected a ring key", e);
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
    public boolean equals(@Nullable Object other) {
        return other instanceof RingKey key
                && MessageDigest.isEqual(secret, key.secret)
                && MessageDigest.isEqual(accepted, key.accepted);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(secret) + Arrays.hashCode(accepted);
    }

    @Override
    public String toString() {
        if (!authenticates()) {
            return "no ring key";
        }
        String sent = "ring key of " + secret.length + " bytes";
        return accepted.length == 0 ? sent : sent + ", one of " + accepted.length + " accepted too";
    }
}
