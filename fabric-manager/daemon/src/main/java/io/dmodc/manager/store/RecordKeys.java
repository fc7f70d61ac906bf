package io.dmodc.manager.store;

import io.dmodc.manager.state.StateRecord;
import io.dmodc.manager.state.StateRecord.Kind;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Keys as bytes: kind (1 byte), GUID (8), port (4), all big-endian, then the subject in UTF-8. Kinds are numbered here, so
 * that the order of the constants may change.
 */
final class RecordKeys {
    private static final int FIXED_BYTES = 1 + Long.BYTES + Integer.BYTES;

    private RecordKeys() {}

    static byte[] encode(StateRecord.Key key) {
        byte[] subject = key.subject().getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(FIXED_BYTES + subject.length)
                .put((byte) number(key.kind()))
                .putLong(key.guid())
                .putInt(key.port())
                .put(subject)
                .array();
    }

    /** @throws IllegalArgumentException when these bytes are no key */
    static StateRecord.Key decode(byte[] bytes) {
        if (bytes.length < FIXED_BYTES) {
            throw new IllegalArgumentException("a key of " + bytes.length + " bytes");
        }
        ByteBuffer from = ByteBuffer.wrap(bytes);
        Kind kind = kind(from.get());
        long guid = from.getLong();
        int port = from.getInt();
        String subject = StandardCharsets.UTF_8.decode(from).toString();
        return new StateRecord.Key(kind, guid, port, subject);
    }

    private static int number(Kind kind) {
        return switch (kind) {
            case LEADER_EPOCH -> 1;
            case FABRIC_EPOCH -> 2;
            case NODE_INDEX -> 3;
            case LEVEL -> 4;
            case SWITCH -> 5;
            case HELD_TABLE -> 6;
            case ALARM -> 7;
            case LAST_ALARM -> 8;
            case EXPECTED -> 9;
            case ACKNOWLEDGEMENT -> 10;
            case INTENT -> 11;
            case KEPT_EPOCH -> 12;
            case PLANE -> 13;
        };
    }

    private static Kind kind(int number) {
        for (Kind kind : Kind.values()) {
            if (number(kind) == number) {
                return kind;
            }
        }
        throw new IllegalArgumentException("a record of kind " + number);
    }
}
