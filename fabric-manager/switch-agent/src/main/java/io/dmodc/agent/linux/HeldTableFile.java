package io.dmodc.agent.linux;

import io.dmodc.southbound.SouthboundProtocol;
import io.dmodc.southbound.TableVersion;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what the kernel's routes stand for while no agent runs: the kernel knows addresses and interfaces, and nothing of indices.
 *
 * <p>Written as a whole beside the old one and renamed. Not forced to the disk: what a crash of the machine takes away, it takes with the
 * routes; a file that is not whole by its checksum is none.
 */
final class HeldTableFile {
    private static final int MAGIC = 0x464d_4c54; // FMLT
    private static final int FORMAT = 1;

    private final @Nullable Path file;
    private long storedChecksum = -1;

    /** @param directory null: nothing is remembered */
    HeldTableFile(@Nullable Path directory) {
        file = directory == null ? null : directory.resolve("linux-table");
    }

    /**
     * Returns what was written last; null when there is none.
     *
     * @throws IOException in one line, when there is one that cannot be used
     */
    @Nullable
    HeldTable read() throws IOException {
        if (file == null) {
            return null;
        }
        byte[] bytes;
        try {
            bytes = Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            return null;
        }
        try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
            if (bytes.length < Long.BYTES || checksum(bytes, bytes.length - Long.BYTES) != last(bytes)) {
                throw new IOException("it is not whole");
            }
            if (in.readInt() != MAGIC || in.readInt() != FORMAT) {
                throw new IOException("it is of another kind");
            }
            return decode(in);
        } catch (IOException e) {
            throw new IOException(file + ": cannot be used: " + e.getMessage(), e);
        }
    }

    private static HeldTable decode(DataInputStream in) throws IOException {
        TableVersion version = new TableVersion(in.readLong(), in.readLong());
        byte[] entries = in.readNBytes(count(in));
        byte[] moves = in.readNBytes(entries.length);
        RouteAddress[][] addresses = new RouteAddress[count(in)][];
        for (int index = 0; index < addresses.length; index++) {
            RouteAddress[] some = new RouteAddress[in.readUnsignedByte()];
            for (int at = 0; at < some.length; at++) {
                some[at] = new RouteAddress(in.readLong(), in.readLong());
            }
            addresses[index] = some;
        }
        return new HeldTable(version, entries, moves, addresses);
    }

    private static int count(DataInputStream in) throws IOException {
        int count = in.readInt();
        if (count < 0 || count > SouthboundProtocol.MAX_ENTRIES) {
            throw new IOException(count + " entries");
        }
        return count;
    }

    /** @throws IOException in one line; the file is the old one then */
    void write(HeldTable table) throws IOException {
        if (file == null) {
            return;
        }
        byte[] bytes = encode(table);
        long checksum = last(bytes);
        if (checksum == storedChecksum) {
            return;
        }
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.write(fresh, bytes);
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            storedChecksum = checksum;
        } catch (IOException e) {
            throw new IOException(file + ": cannot be written: " + e, e);
        }
    }

    /** @throws IOException in one line */
    void delete() throws IOException {
        if (file != null) {
            Files.deleteIfExists(file);
        }
    }

    private static byte[] encode(HeldTable table) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.writeInt(MAGIC);
        out.writeInt(FORMAT);
        out.writeLong(table.version().leaderEpoch());
        out.writeLong(table.version().fabricEpoch());
        out.writeInt(table.entries().length);
        out.write(table.entries());
        out.write(table.moves());
        out.writeInt(table.addresses().length);
        for (RouteAddress[] some : table.addresses()) {
            out.writeByte(some.length);
            for (RouteAddress address : some) {
                out.writeLong(address.high());
                out.writeLong(address.low());
            }
        }
        out.writeLong(checksum(bytes.toByteArray(), bytes.size()));
        return bytes.toByteArray();
    }

    private static long checksum(byte[] bytes, int length) {
        CRC32 sum = new CRC32();
        sum.update(bytes, 0, length);
        return sum.getValue();
    }

    private static long last(byte[] bytes) {
        return java.nio.ByteBuffer.wrap(bytes).getLong(bytes.length - Long.BYTES);
    }
}
