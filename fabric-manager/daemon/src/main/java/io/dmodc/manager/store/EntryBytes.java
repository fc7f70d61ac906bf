package io.dmodc.manager.store;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.WriteBuffer;
import org.h2.mvstore.type.BasicDataType;

/** Keys and values as MVStore sees them. Unlike its own type for bytes, it believes no length before it has seen the bytes. */
final class EntryBytes extends BasicDataType<byte[]> {
    static final EntryBytes TYPE = new EntryBytes();

    /** Of an array, beside its bytes. */
    private static final int OVERHEAD_BYTES = 24;

    private EntryBytes() {}

    @Override
    public int getMemory(byte[] bytes) {
        return bytes.length + OVERHEAD_BYTES;
    }

    @Override
    public void write(WriteBuffer to, byte[] bytes) {
        to.putVarInt(bytes.length);
        to.put(bytes);
    }

    @Override
    public byte[] read(ByteBuffer from) {
        int length = DataUtils.readVarInt(from);
        if (length < 0 || length > from.remaining()) {
            throw new IllegalArgumentException("an entry of " + length + " bytes");
        }
        byte[] bytes = new byte[length];
        from.get(bytes);
        return bytes;
    }

    @Override
    public byte[][] createStorage(int size) {
        return new byte[size][];
    }

    @Override
    public int compare(byte[] one, byte[] other) {
        return Arrays.compareUnsigned(one, other);
    }
}
