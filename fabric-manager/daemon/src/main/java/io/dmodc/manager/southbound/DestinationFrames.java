package io.dmodc.manager.southbound;

import com.google.protobuf.ByteString;
import io.dmodc.manager.core.Effect.NameDestinations;
import io.dmodc.manager.core.Effect.NamedDestination;
import io.dmodc.southbound.DestinationDigest;
import io.dmodc.southbound.proto.Addresses;
import io.dmodc.southbound.proto.Destination;
import io.dmodc.southbound.proto.Destinations;
import io.dmodc.southbound.proto.ManagerFrame;
import io.dmodc.topology.Host;
import io.dmodc.topology.HostAddresses;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the indices of tables stand for, as frames: whole, and as what changed since any of the last {@value #VERSIONS_KEPT}
 * versions. Made when first asked for, once for all sessions that hold the same.
 *
 * <p>Each index remembers the version in which it changed last, so no difference is kept. Memory: one message an index, and the
 * frames that were asked for of the newest version. May be used from any thread.
 */
public final class DestinationFrames {
    /** Who holds what was told before these is told the whole. */
    static final int VERSIONS_KEPT = 64;

    /** Destinations of one frame: at most some 250 kB, so that none waits long behind it. */
    static final int PER_FRAME = 2048;

    /**
     * What brings an agent to the newest version.
     *
     * @param digest of what it holds afterwards
     * @param frames in order; none when it holds that already
     */
    public record News(long digest, List<ManagerFrame> frames) {}

    private @Nullable Destination[] byIndex = {};

    /** Version in which each index changed last, from 1. */
    private int[] changedIn = {};

    private int version;
    private long fabricEpoch;
    private long digest;

    /** The newest versions by their digests. */
    private final Map<Long, Integer> versions = new LinkedHashMap<>();

    /** Frames from a version to the newest one. */
    private final Map<Integer, List<ManagerFrame>> made = new HashMap<>();

    /** Nobody was told anything yet. */
    public DestinationFrames() {
        versions.put(0L, 0);
    }

    /** Makes a new version. */
    public synchronized void tell(NameDestinations news) {
        version++;
        fabricEpoch = news.epoch();
        for (NamedDestination changed : news.changed()) {
            int index = changed.index();
            if (index >= byIndex.length) {
                int size = Math.max(index + 1, byIndex.length + byIndex.length / 2);
                byIndex = Arrays.copyOf(byIndex, size);
                changedIn = Arrays.copyOf(changedIn, size);
            }
            Destination before = byIndex[index];
            Destination now = wire(index, changed.host());
            digest += DestinationDigest.of(now) - (before == null ? 0 : DestinationDigest.of(before));
            byIndex[index] = now;
            changedIn[index] = version;
        }
        versions.put(digest, version);
        if (versions.size() > VERSIONS_KEPT) {
            versions.remove(versions.keySet().iterator().next());
        }
        made.clear();
    }

    /**
     * Returns what an agent is told next.
     *
     * @param held digest of what it holds
     */
    public synchronized News after(long held) {
        if (version == 0 || held == digest) {
            return new News(held, List.of());
        }
        Integer since = versions.get(held);
        int from = since == null ? 0 : since;
        return new News(digest, made.computeIfAbsent(from, base -> frames(base, base == 0 ? 0 : held)));
    }

    private List<ManagerFrame> frames(int base, long baseDigest) {
        List<ManagerFrame> frames = new ArrayList<>();
        Destinations.Builder frame = Destinations.newBuilder();
        for (int index = 0; index < byIndex.length; index++) {
            if (changedIn[index] > base) {
                if (frame.getChangedCount() == PER_FRAME) {
                    frames.add(frame(frame, base, baseDigest, true));
                    frame = Destinations.newBuilder();
                }
                frame.addChanged(Objects.requireNonNull(byIndex[index]));
            }
        }
        frames.add(frame(frame, base, baseDigest, false));
        return List.copyOf(frames);
    }

    private ManagerFrame frame(Destinations.Builder frame, int base, long baseDigest, boolean more) {
        return ManagerFrame.newBuilder()
                .setDestinations(frame.setFabricEpoch(fabricEpoch)
                        .setComplete(base == 0)
                        .setBaseDigest(baseDigest)
                        .setResultDigest(digest)
                        .setMore(more))
                .build();
    }

    private static Destination wire(int index, Host host) {
        Destination.Builder wire = Destination.newBuilder()
                .setIndex(index)
                .setPortGuid(host.portGuid())
                .setName(host.name());
        HostAddresses addresses = host.addresses();
        if (!addresses.isNone()) {
            wire.setAddresses(Addresses.newBuilder()
                    .setLid(addresses.lid())
                    .setIpv4(ByteString.copyFrom(addresses.ipv4Bytes()))
                    .setIpv6(ByteString.copyFrom(addresses.ipv6Bytes()))
                    .setMac(ByteString.copyFrom(addresses.macBytes())));
        }
        return wire.build();
    }
}
