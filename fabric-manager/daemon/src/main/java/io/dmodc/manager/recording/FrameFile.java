package io.dmodc.manager.recording;

import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * How frames lie in a file: {@value #HEADER_BYTES} bytes of header, then the bytes of the frame. The header is the length, a CRC-32C
 * of the length and the frame's number from 0, and a CRC-32C of the bytes; all big-endian. So a frame that is missing, doubled,
 * damaged or longer than the file is told from one that was cut off.
 */
final class FrameFile {
    static final int HEADER_BYTES = 12;

    /** Far above a turn of 4,096 complete reports. */
    static final int LENGTH_MAX = 1 << 28;

    /** First in the file. */
    static final byte[] MAGIC = {'f', 'm', '-', 'e', 'v', 'e', 'n', 't', 's', '\n'};

    private FrameFile() {}

    static byte[] header(long number, byte[] bytes) {
        return ByteBuffer.allocate(HEADER_BYTES)
                .putInt(bytes.length)
                .putInt(lengthSum(number, bytes.length))
                .putInt(sum(bytes))
                .array();
    }

    static int lengthSum(long number, int length) {
        return sum(ByteBuffer.allocate(Long.BYTES + Integer.BYTES)
                .putLong(number)
                .putInt(length)
                .array());
    }

    static int sum(byte[] bytes) {
        CRC32C sum = new CRC32C();
        sum.update(bytes);
        return (int) sum.getValue();
    }
}
