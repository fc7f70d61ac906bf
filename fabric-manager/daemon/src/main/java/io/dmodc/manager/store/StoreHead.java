package io.dmodc.manager.store;

import com.google.protobuf.InvalidProtocolBufferException;
import io.dmodc.settings.BuildInfo;

/**
 * What a store says of itself.
 *
 * @param number appends so far, 0 as it was made
 * @param sum of its records
 */
record StoreHead(long number, RecordSum sum) {
    /** The newest format this release reads, and the one it writes. */
    static final int FORMAT = 1;

    byte[] encode() {
        return io.dmodc.manager.store.proto.StoreHead.newBuilder()
                .setFormat(FORMAT)
                .setWriter(BuildInfo.read().version())
                .setNumber(number)
                .setCount(sum.count())
                .setDigest(sum.digest())
                .build()
                .toByteArray();
    }

    /** @throws DamagedStateException in a few words when it cannot be read, or a newer release wrote it */
    static StoreHead decode(byte[] bytes) throws DamagedStateException {
        io.dmodc.manager.store.proto.StoreHead in;
        try {
            in = io.dmodc.manager.store.proto.StoreHead.parseFrom(bytes);
        } catch (InvalidProtocolBufferException e) {
            throw new DamagedStateException("its head cannot be read", e);
        }
        if (in.getFormat() > FORMAT) {
            throw new NewerFormatException(
                    "is of format " + in.getFormat() + ", written by fabric-manager "
                            + in.getWriter() + "; fabric-manager "
                            + BuildInfo.read().version() + " reads up to " + FORMAT
                            + ": start that release, or export the state with it ('fabric-manager state export') and import it here");
        }
        if (in.getFormat() < 1) {
            throw new DamagedStateException("its head names no format");
        }
        return new StoreHead(in.getNumber(), new RecordSum(in.getCount(), in.getDigest()));
    }
}
