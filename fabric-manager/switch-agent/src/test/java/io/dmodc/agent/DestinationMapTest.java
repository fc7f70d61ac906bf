package io.dmodc.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.dmodc.agent.plane.Destinations;
import io.dmodc.southbound.DestinationDigest;
import io.dmodc.southbound.proto.Addresses;
import io.dmodc.southbound.proto.Destination;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Frames that fit are used together, and those that do not leave nothing behind. */
class DestinationMapTest {
    private final DestinationMap map = new DestinationMap();

    private static Destination named(int index, String name) {
        return Destination.newBuilder()
                .setIndex(index)
                .setPortGuid(0x100L + index)
                .setName(name)
                .setAddresses(Addresses.newBuilder()
                        .setLid(index + 1)
                        .setIpv4(ByteString.copyFrom(new byte[] {10, 0, 0, (byte) index})))
                .build();
    }

    private static long digest(Destination... all) {
        return Arrays.stream(all).mapToLong(DestinationDigest::of).sum();
    }

    private static io.dmodc.southbound.proto.Destinations.Builder frame(long result, Destination... changed) {
        return io.dmodc.southbound.proto.Destinations.newBuilder()
                .setFabricEpoch(3)
                .setComplete(true)
                .setResultDigest(result)
                .addAllChanged(Arrays.asList(changed));
    }

    private BitSet take(io.dmodc.southbound.proto.Destinations.Builder frame) throws Exception {
        return Objects.requireNonNull(map.take(frame.build()));
    }

    private void holdTwo() throws Exception {
        take(frame(digest(named(0, "a"), named(5, "b")), named(0, "a"), named(5, "b")));
    }

    private void assertRefused(io.dmodc.southbound.proto.Destinations.Builder frame, String why) {
        assertThatThrownBy(() -> map.take(frame.build()))
                .isInstanceOf(DestinationMap.MismatchException.class)
                .hasMessageContaining(why);
        assertThat(map.digest()).isZero();
        assertThat(map.held()).isSameAs(Destinations.NONE);
    }

    @Test
    void shouldKnowWhatItWasTold() throws Exception {
        holdTwo();

        assertThat(map.digest()).isEqualTo(digest(named(0, "a"), named(5, "b")));
        assertThat(map.held().at(1)).isNull();
        assertThat(map.held().at(6)).isNull();
        assertThat(map.held().at(5)).satisfies(told -> {
            assertThat(told.portGuid()).isEqualTo(0x105);
            assertThat(told.name()).isEqualTo("b");
            assertThat(told.addresses()).hasToString("lid 6 ipv4 10.0.0.5");
        });
    }

    @Test
    void shouldSayWhatStandsForSomethingElse() throws Exception {
        holdTwo();

        BitSet changed = take(frame(digest(named(0, "a"), named(5, "c"), named(9, "d")), named(5, "c"), named(9, "d"))
                .setComplete(false)
                .setBaseDigest(map.digest()));
        assertThat(changed).hasToString("{5, 9}");

        BitSet whole = take(frame(digest(named(5, "c")), named(5, "c")));
        assertThat(whole).as("told all again, without two").hasToString("{0, 9}");
    }

    @Test
    void shouldNotHoldTwiceWhatIsToldAgain() throws Exception {
        holdTwo();
        Object before = map.held().at(5);

        BitSet changed = take(frame(digest(named(0, "c"), named(5, "b")), named(0, "c"), named(5, "b")));

        assertThat(changed).hasToString("{0}");
        assertThat(map.held().at(5))
                .as("of 65,536 the heap has no room for a copy")
                .isSameAs(before);
    }

    @Test
    void shouldUseSeveralFramesTogether() throws Exception {
        long result = digest(named(1, "a"), named(2, "b"), named(3, "c"));

        assertThat(map.take(frame(result, named(1, "a")).setMore(true).build())).isNull();
        assertThat(map.take(frame(result, named(2, "b")).setMore(true).build())).isNull();
        assertThat(map.held().size()).as("nothing before the last").isZero();

        assertThat(take(frame(result, named(3, "c")))).hasToString("{1, 2, 3}");
    }

    @Test
    void shouldDropWhatALostSessionLeftUnfinished() throws Exception {
        map.take(frame(1, named(1, "a")).setMore(true).build());

        map.dropUnfinished();

        holdTwo();
        assertThat(map.held().at(1)).isNull();
    }

    @Test
    void shouldHoldNothingAfterWhatDoesNotFit() throws Exception {
        holdTwo();
        assertRefused(frame(7, named(1, "a")), "add up to others");
        holdTwo();
        assertRefused(frame(7, named(1, "a")).setComplete(false).setBaseDigest(8), "stand on others");
        holdTwo();
        assertRefused(frame(7, named(3, "a"), named(3, "b")), "index 3 after index 3");
        holdTwo();
        map.take(frame(7, named(3, "a")).setMore(true).build());
        assertRefused(frame(7, named(2, "a")), "index 2 after index 3");
        map.take(frame(7, named(3, "a")).setMore(true).build());
        assertRefused(frame(8, named(4, "a")), "different destinations");

        holdTwo();
        assertThat(map.held().size()).isEqualTo(6);
    }
}
