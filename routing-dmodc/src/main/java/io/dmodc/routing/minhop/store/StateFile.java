package io.dmodc.routing.minhop.store;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UTFDataFormatException;
import java.util.BitSet;
import java.util.zip.CRC32;
import java.util.zip.CheckedInputStream;
import java.util.zip.CheckedOutputStream;

/**
 * The bytes of a {@link StoredState}, big-endian:
 *
 * <pre>
 * "DMHS" 1 · engine (UTF) · switches · nodes · words      int each
 * per switch: GUID · ports · per port: far switch (int, −1 none), far port (byte)
 * per node index: port GUID · adapter GUID · switch (int) · port (byte)
 * per switch: 1 if a root (byte)
 * per target: hops (byte a switch), port sets (words longs a switch)
 * per switch: routes (byte a node)
 * CRC-32 of all before (long)
 * </pre>
 *
 * <p>At most {@link #SWITCHES_MAX} switches and {@link #NODES_MAX} nodes; memory grows with what was really read.
 */
public final class StateFile {
    public static final int SWITCHES_MAX = 1 << 16;
    public static final int NODES_MAX = 1 << 20;
    private static final int MAGIC = 0x444d4853;
    private static final int VERSION = 1;
    private static final int WORDS_MAX = 4;

    private StateFile() {}

    /** Writes a state; the stream stays open. */
    public static void write(StoredState kept, OutputStream to) throws IOException {
        CheckedOutputStream checked = new CheckedOutputStream(new BufferedOutputStream(to, 1 << 16), new CRC32());
        DataOutputStream out = new DataOutputStream(checked);
        out.writeInt(MAGIC);
        out.writeByte(VERSION);
        out.writeUTF(kept.engine);
        out.writeInt(kept.switchGuid.length);
        out.writeInt(kept.nodePortGuid.length);
        out.writeInt(kept.words);
        writeCabling(kept, out);
        for (int i = 0; i < kept.switchGuid.length; i++) {
            out.writeBoolean(kept.roots.get(i));
        }
        for (int i = 0; i < kept.switchGuid.length; i++) {
            out.write(kept.hops[i]);
            for (long word : kept.ports[i]) {
                out.writeLong(word);
            }
        }
        for (byte[] row : kept.routes) {
            out.write(row);
        }
        out.writeLong(checked.getChecksum().getValue());
        out.flush();
    }

    private static void writeCabling(StoredState kept, DataOutputStream out) throws IOException {
        for (int i = 0; i < kept.switchGuid.length; i++) {
            out.writeLong(kept.switchGuid[i]);
            out.writeInt(kept.peerSwitch[i].length);
            for (int at = 0; at < kept.peerSwitch[i].length; at++) {
                out.writeInt(kept.peerSwitch[i][at]);
                out.writeByte(kept.peerPort[i][at]);
            }
        }
        for (int node = 0; node < kept.nodePortGuid.length; node++) {
            out.writeLong(kept.nodePortGuid[node]);
            out.writeLong(kept.nodeHostGuid[node]);
            out.writeInt(kept.nodeSwitch[node]);
            out.writeByte(kept.nodePort[node]);
        }
    }

    /**
     * Reads a state.
     *
     * @param source file name for messages
     * @throws IllegalArgumentException in one line, if it is none, of another version, cut off or damaged
     */
    public static StoredState read(String source, InputStream from) throws IOException {
        CheckedInputStream checked = new CheckedInputStream(new BufferedInputStream(from, 1 << 16), new CRC32());
        DataInputStream in = new DataInputStream(checked);
        try {
            if (in.readInt() != MAGIC) {
                throw error(source, "is no state file", "one that 'fabricctl route --state' wrote");
            }
            int version = in.readUnsignedByte();
            if (version != VERSION) {
                throw error(source, "version " + version, "version " + VERSION);
            }
            StoredState kept = readContent(source, in);
            long expected = checked.getChecksum().getValue();
            if (in.readLong() != expected || in.read() >= 0) {
                throw error(source, "is damaged: its checksum is wrong", "the file as it was written");
            }
            return kept;
        } catch (UTFDataFormatException e) {
            throw new IllegalArgumentException(source + ": is damaged; expected the file as it was written", e);
        } catch (EOFException e) {
            throw new IllegalArgumentException(source + ": is cut off; expected the file as it was written", e);
        }
    }

    private static StoredState readContent(String source, DataInputStream in) throws IOException {
        String engine = in.readUTF();
        int switches = bounded(source, "switches", in.readInt(), SWITCHES_MAX);
        int nodes = bounded(source, "nodes", in.readInt(), NODES_MAX);
        int words = bounded(source, "words a port set", in.readInt(), WORDS_MAX);
        StoredState kept = new StoredState(engine, switches, nodes, words);
        for (int i = 0; i < switches; i++) {
            kept.switchGuid[i] = in.readLong();
            int ports = bounded(source, "ports", in.readInt(), words * 64);
            kept.peerSwitch[i] = new int[ports];
            kept.peerPort[i] = new byte[ports];
            for (int at = 0; at < ports; at++) {
                kept.peerSwitch[i][at] = switchNumber(source, in.readInt(), switches);
                kept.peerPort[i][at] = in.readByte();
            }
        }
        for (int node = 0; node < nodes; node++) {
            kept.nodePortGuid[node] = in.readLong();
            kept.nodeHostGuid[node] = in.readLong();
            kept.nodeSwitch[node] = switchNumber(source, in.readInt(), switches);
            kept.nodePort[node] = in.readByte();
        }
        readTables(kept, in);
        return kept;
    }

    private static void readTables(StoredState kept, DataInputStream in) throws IOException {
        int switches = kept.switchGuid.length;
        readRoots(kept.roots, switches, in);
        for (int target = 0; target < switches; target++) {
            kept.hops[target] = new byte[switches];
            in.readFully(kept.hops[target]);
            kept.ports[target] = new long[switches * kept.words];
            for (int word = 0; word < kept.ports[target].length; word++) {
                kept.ports[target][word] = in.readLong();
            }
        }
        for (int i = 0; i < switches; i++) {
            kept.routes[i] = new byte[kept.nodePortGuid.length];
            in.readFully(kept.routes[i]);
        }
    }

    private static void readRoots(BitSet roots, int switches, DataInputStream in) throws IOException {
        for (int i = 0; i < switches; i++) {
            roots.set(i, in.readBoolean());
        }
    }

    private static int bounded(String source, String what, int value, int max) {
        if (value < 0 || value > max) {
            throw error(source, value + " " + what, "0.." + max);
        }
        return value;
    }

    private static int switchNumber(String source, int value, int switches) {
        if (value < StoredState.NOBODY || value >= switches) {
            throw error(source, "switch number " + value, StoredState.NOBODY + ".." + (switches - 1));
        }
        return value;
    }

    private static IllegalArgumentException error(String source, String what, String expected) {
        return new IllegalArgumentException(source + ": " + what + "; expected " + expected);
    }
}
