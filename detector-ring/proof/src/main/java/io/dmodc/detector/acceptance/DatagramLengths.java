package io.dmodc.detector.acceptance;

import io.dmodc.detector.MessageType;
import io.dmodc.detector.RingMessage;
import io.dmodc.detector.net.Datagram;
import io.dmodc.detector.net.DatagramMac;
import io.dmodc.detector.net.RingKey;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * How long the datagrams of all kinds are, as they are written for the wire.
 *
 * @param byKind bytes of each kind, as flooded over the binomial graph
 * @param copy   bytes of the longest copy of a hypercube broadcast
 */
record DatagramLengths(Map<MessageType, Integer> byKind, int copy) {
    DatagramLengths {
        byKind = Map.copyOf(byKind);
    }

    static DatagramLengths ofAllKinds() {
        DatagramMac mac = RingKey.random().newMac();
        Map<MessageType, Integer> lengths = new EnumMap<>(MessageType.class);
        int longestCopy = 0;
        for (MessageType type : MessageType.values()) {
            RingMessage message = new RingMessage();
            message.type = type;
            lengths.put(type, length(message, mac));
            if (type.isRecord() || type == MessageType.REVOKE) {
                longestCopy = Math.max(longestCopy, length(asCopy(message), mac));
            }
        }
        return new DatagramLengths(lengths, longestCopy);
    }

    private static RingMessage asCopy(RingMessage message) {
        message.copy = 0;
        message.deadCount = RingMessage.DEAD_MAX;
        for (int i = 0; i < message.deadCount; i++) {
            message.deadSlots[i] = i + 1;
        }
        return message;
    }

    private static int length(RingMessage message, DatagramMac mac) {
        ByteBuffer out = ByteBuffer.allocate(Datagram.LENGTH_MAX);
        Datagram.write(message, mac, 1, out);
        return out.position();
    }

    /** One number, or, where they differ, each kind's. */
    String text() {
        return new TreeSet<>(byKind.values()).size() == 1
                ? "all " + byKind.values().iterator().next()
                : byKind.entrySet().stream()
                        .sorted(Map.Entry.comparingByKey())
                        .map(kind -> kind.getKey() + " " + kind.getValue())
                        .collect(Collectors.joining(", "));
    }
}
