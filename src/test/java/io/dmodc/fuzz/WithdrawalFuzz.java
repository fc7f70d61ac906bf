package io.dmodc.fuzz;

import io.dmodc.agent.linux.RouteAddress;
import io.dmodc.agent.linux.WithdrawalCodec;
import io.dmodc.agent.linux.WithdrawalCodec.Frame;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A withdrawal out of a cable: a frame of addresses. What is accepted must be within its bounds and be written again byte for byte. */
public final class WithdrawalFuzz {
    private static final int FRAMES_MAX = 32;
    private static final int ADDRESSES_MAX = 75;

    private WithdrawalFuzz() {}

    /** Lists of no address, one, and more than a frame has. */
    static List<byte[]> seeds() {
        List<byte[]> seeds = new ArrayList<>();
        for (int count : new int[] {0, 1, ADDRESSES_MAX + 1}) {
            List<RouteAddress> addresses = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                addresses.add(new RouteAddress(0, 0xffff_0a64_0001L + i));
            }
            for (ByteBuffer frame : WithdrawalCodec.write(7, 0xa0, addresses)) {
                seeds.add(bytes(frame));
            }
        }
        return seeds;
    }

    public static void fuzzerTestOneInput(byte[] data) {
        Frame frame = WithdrawalCodec.read(ByteBuffer.wrap(data));
        if (frame == null) {
            return;
        }
        require(frame.guid() != 0, "nobody");
        require(frame.of() >= 1 && frame.of() <= FRAMES_MAX, "of " + frame.of());
        require(frame.at() >= 0 && frame.at() < frame.of(), "frame " + frame.at());
        require(frame.addresses().size() <= ADDRESSES_MAX, frame.addresses().size() + " addresses");
        require(Arrays.equals(bytes(WithdrawalCodec.write(frame)), data), "another frame than was read");
    }

    private static byte[] bytes(ByteBuffer frame) {
        byte[] bytes = new byte[frame.remaining()];
        frame.get(bytes);
        return bytes;
    }

    private static void require(boolean holds, String what) {
        if (!holds) {
            throw new IllegalStateException(what);
        }
    }
}
