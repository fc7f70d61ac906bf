package io.dmodc.manager.southbound;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.core.Effect.NameDestinations;
import io.dmodc.manager.core.Effect.NamedDestination;
import io.dmodc.southbound.DestinationDigest;
import io.dmodc.southbound.ManagerCheck;
import io.dmodc.southbound.SouthboundProtocol;
import io.dmodc.southbound.proto.Destination;
import io.dmodc.southbound.proto.Destinations;
import io.dmodc.southbound.proto.Hello;
import io.dmodc.southbound.proto.ManagerFrame;
import io.dmodc.topology.Host;
import io.dmodc.topology.HostAddresses;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What agents are told of destinations adds up, whenever they were told last. */
class DestinationFramesTest {
    private final DestinationFrames frames = new DestinationFrames();
    private final Map<Integer, Host> meant = new TreeMap<>();
    private long epoch;

    private void tell(Host host, int... indices) {
        List<NamedDestination> news = new ArrayList<>();
        for (int index : indices) {
            meant.put(index, host);
            news.add(new NamedDestination(index, host));
        }
        frames.tell(new NameDestinations(++epoch, news));
    }

    private static Host host(long guid, String name) {
        return new Host(guid, guid, 1, name, HostAddresses.ofLid((int) (guid & 0x3fff)));
    }

    /** The slow twin of an agent: believes nothing, keeps everything. */
    private static final class Listener {
        final Map<Integer, Destination> held = new TreeMap<>();
        SessionDestinations session;
        int frames;
        int entries;
        boolean whole;

        Listener(DestinationFrames source) {
            session = session(source);
        }

        SessionDestinations session(DestinationFrames source) {
            return new SessionDestinations(
                    source,
                    Hello.newBuilder()
                            .setDestinations(true)
                            .setDestinationsDigest(digest())
                            .build());
        }

        long digest() {
            return held.values().stream().mapToLong(DestinationDigest::of).sum();
        }

        void listen() {
            Map<Integer, Destination> next = new TreeMap<>(held);
            int last = -1;
            for (ManagerFrame frame = session.next(); frame != null; frame = session.next()) {
                Destinations told = frame.getDestinations();
                assertThat(ManagerCheck.invalid(told)).isEmpty();
                assertThat(frame.getSerializedSize()).isLessThan(SouthboundProtocol.MAX_FRAME_BYTES / 2);
                frames++;
                entries += told.getChangedCount();
                whole |= told.getComplete();
                if (last < 0 && told.getComplete()) {
                    next.clear();
                } else if (!told.getComplete()) {
                    assertThat(told.getBaseDigest()).isEqualTo(digest());
                }
                for (Destination one : told.getChangedList()) {
                    assertThat(one.getIndex()).isGreaterThan(last);
                    last = one.getIndex();
                    next.put(last, one);
                }
                if (!told.getMore()) {
                    held.clear();
                    held.putAll(next);
                    assertThat(digest()).isEqualTo(told.getResultDigest());
                    last = -1;
                }
            }
        }
    }

    private void assertKnows(Listener listener) {
        assertThat(listener.held.keySet()).isEqualTo(meant.keySet());
        meant.forEach((index, host) -> {
            Destination told = Objects.requireNonNull(listener.held.get(index));
            assertThat(told.getPortGuid()).isEqualTo(host.portGuid());
            assertThat(told.getName()).isEqualTo(host.name());
            assertThat(told.getAddresses().getLid()).isEqualTo(host.addresses().lid());
        });
    }

    @Test
    void shouldTellNothingBeforeAnythingIsKnown() {
        Listener listener = new Listener(frames);
        listener.listen();

        assertThat(listener.frames).isZero();
    }

    @Test
    void shouldTellOnlyWhatChanged() {
        tell(host(1, "a"), 0, 1, 2, 3);
        Listener listener = new Listener(frames);
        listener.listen();
        listener.entries = 0;
        tell(host(2, "b"), 2);
        tell(host(3, "c"), 2, 7);

        listener.listen();

        assertThat(listener.entries).isEqualTo(2);
        assertKnows(listener);
    }

    @Test
    void shouldTellNothingToWhoComesBackWithTheSame() {
        tell(host(1, "a"), 0, 1);
        Listener listener = new Listener(frames);
        listener.listen();
        listener.frames = 0;

        listener.session = listener.session(frames);
        listener.listen();
        assertThat(listener.frames).isZero();

        DestinationFrames another = new DestinationFrames();
        another.tell(new NameDestinations(9, List.of(new NamedDestination(0, host(1, "a")))));
        another.tell(new NameDestinations(10, List.of(new NamedDestination(1, host(1, "a")))));
        listener.session = listener.session(another);
        listener.listen();
        assertThat(listener.frames)
                .as("a manager that starts again finds the same")
                .isZero();
    }

    @Test
    void shouldTellAllInFramesThatFitToWhoHoldsSomethingUnknown() {
        int count = 3 * DestinationFrames.PER_FRAME + 1;
        for (int index = 0; index < count; index++) {
            meant.put(index, host(1 + index, "x".repeat(SouthboundProtocol.MAX_NAME_BYTES)));
        }
        frames.tell(new NameDestinations(
                1,
                meant.entrySet().stream()
                        .map(each -> new NamedDestination(each.getKey(), each.getValue()))
                        .toList()));
        Listener listener = new Listener(frames);
        listener.held.put(
                0,
                Destination.newBuilder()
                        .setPortGuid(77)
                        .setName("of another fabric")
                        .build());
        listener.session = listener.session(frames);

        listener.listen();

        assertThat(listener.frames).isEqualTo(4);
        assertThat(listener.whole).isTrue();
        assertKnows(listener);
    }

    @Test
    void shouldTellAllToWhoIsTooFarBehind() {
        tell(host(1, "a"), 0, 1, 2);
        Listener listener = new Listener(frames);
        listener.listen();
        listener.whole = false;
        for (int i = 0; i < DestinationFrames.VERSIONS_KEPT; i++) {
            tell(host(100 + i, "b"), 0);
        }

        listener.listen();

        assertThat(listener.whole).isTrue();
        assertKnows(listener);
    }

    @Test
    void shouldBringEveryoneToTheSameFromWhereverHeWas() {
        for (long seed = 1; seed <= 200; seed++) {
            Random random = new Random(seed);
            DestinationFramesTest one = new DestinationFramesTest();
            List<Listener> listeners = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                listeners.add(new Listener(one.frames));
            }
            for (int round = 0; round < 100; round++) {
                one.tell(
                        host(1 + random.nextInt(50), "n" + random.nextInt(3)),
                        random.ints(1 + random.nextInt(5), 0, 40)
                                .distinct()
                                .sorted()
                                .toArray());
                Listener any = listeners.get(random.nextInt(listeners.size()));
                if (random.nextInt(3) == 0) {
                    any.session = any.session(one.frames);
                }
                any.listen();
                one.assertKnows(any);
            }
            listeners.forEach(listener -> {
                listener.listen();
                one.assertKnows(listener);
            });
        }
    }

    @Test
    void shouldTellNothingToWhoDoesNotAsk() {
        tell(host(1, "a"), 0);

        assertThat(new SessionDestinations(frames, Hello.getDefaultInstance()).next())
                .isNull();
    }
}
