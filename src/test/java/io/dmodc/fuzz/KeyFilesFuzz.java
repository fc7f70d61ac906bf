package io.dmodc.fuzz;

import io.dmodc.detector.net.RingKey;
import io.dmodc.southbound.tls.TlsFiles;
import io.dmodc.southbound.tls.TlsKeys;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/**
 * Files of keys. The first byte says which one the rest is, beside which others it lies, and whether it is what stands inside
 * a PEM file, so that a change of one bit is one.
 */
public final class KeyFilesFuzz {
    private static final int RING_KEY = 3;
    private static final int FILES = 4;
    private static final int RSA = 4;
    private static final int INSIDE = 8;
    private static final List<String> NAMES =
            List.of(TlsFiles.CERTIFICATE, TlsFiles.PRIVATE_KEY, TlsFiles.AUTHORITY, "ring-key");
    private static final List<String> LABELS = List.of("CERTIFICATE", "PRIVATE KEY", "CERTIFICATE", "RING KEY");

    private KeyFilesFuzz() {}

    static List<byte[]> seeds() {
        List<byte[]> seeds = new ArrayList<>();
        for (int file = 0; file < RING_KEY; file++) {
            for (int algorithm : new int[] {0, RSA}) {
                byte[] pem = good(file, algorithm);
                seeds.add(AnyFuzz.of(file + algorithm, pem));
                seeds.add(AnyFuzz.of(file + algorithm + INSIDE, inside(pem)));
            }
        }
        seeds.add(AnyFuzz.of(
                RING_KEY, "# of the ring\n000102030405060708090a0b0c0d0e0f\n".getBytes(StandardCharsets.UTF_8)));
        seeds.add(AnyFuzz.of(RING_KEY, "AAECAwQFBgcICQoLDA0ODxAREhM=\n".getBytes(StandardCharsets.UTF_8)));
        seeds.add(AnyFuzz.of(
                RING_KEY,
                "AAECAwQFBgcICQoLDA0ODxAREhM=\n000102030405060708090a0b0c0d0e0f\n".getBytes(StandardCharsets.UTF_8)));
        return seeds;
    }

    /** A pair that was made for this, and is used nowhere. */
    private static byte[] good(int file, int algorithm) {
        String name = (algorithm == RSA ? "rsa-" : "ec-") + (file == 1 ? "private-key" : "certificate") + ".pem";
        try (InputStream in = KeyFilesFuzz.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("no resource " + name);
            }
            return in.readAllBytes();
        } catch (IOException e) {
            throw new IllegalStateException(name, e);
        }
    }

    private static byte[] inside(byte[] pem) {
        String text = new String(pem, StandardCharsets.US_ASCII);
        return Base64.getMimeDecoder().decode(text.replaceAll("-----[A-Z ]+-----", ""));
    }

    public static void fuzzerTestOneInput(byte[] data) throws IOException {
        if (data.length == 0) {
            return;
        }
        int file = data[0] & FILES - 1;
        Path directory = Scratch.directory();
        for (int other = 0; other < RING_KEY; other++) {
            if (other != file) {
                write(directory, other, good(other, data[0] & RSA), 0);
            }
        }
        byte[] input = (data[0] & INSIDE) == 0 ? data : pem(LABELS.get(file), data);
        write(directory, file, input, input == data ? 1 : 0);
        try {
            if (file == RING_KEY) {
                requireKey(RingKey.read(directory.resolve(NAMES.get(file))));
            } else {
                requireKeys(TlsKeys.read(TlsFiles.in(directory)));
            }
        } catch (IOException refused) {
            OneLine.require(refused, directory.toString());
        }
    }

    private static void requireKey(RingKey key) {
        if (!key.authenticates()) {
            throw new IllegalStateException("a key that is none");
        }
    }

    private static void requireKeys(TlsKeys keys) {
        if (keys.chain().isEmpty()
                || keys.authorities().isEmpty()
                || keys.toString().lines().count() != 1) {
            throw new IllegalStateException("keys that are none: " + keys);
        }
    }

    private static byte[] pem(String label, byte[] data) {
        String text = Base64.getMimeEncoder().encodeToString(Arrays.copyOfRange(data, 1, data.length));
        return ("-----BEGIN " + label + "-----\n" + text + "\n-----END " + label + "-----\n")
                .getBytes(StandardCharsets.US_ASCII);
    }

    private static void write(Path directory, int file, byte[] bytes, int from) throws IOException {
        Path path = directory.resolve(NAMES.get(file));
        if (!Files.exists(path)) {
            Files.createFile(path, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        }
        Scratch.write(path, bytes, from);
    }
}
