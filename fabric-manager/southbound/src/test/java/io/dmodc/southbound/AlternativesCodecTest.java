package io.dmodc.southbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.dmodc.southbound.proto.PortSetTable;
import io.dmodc.southbound.proto.TableRefusal.Reason;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Alternatives, whole and as differences, against arrays of sets; and what a broken manager could say. */
class AlternativesCodecTest {
    private static final byte[][] SETS = {
        {}, {}, {1, 2}, {1, 2, 3}, {1, 3}, {2, 3}, {7, (byte) 200, (byte) 254}, {4, 5, 6, 7, 8, 9}
    };

    private static final PortSetTable GOOD = AlternativesCodec.whole(of(5, sets(2, 2, 0, 3)));

    static LongStream seeds() {
        return LongStream.range(0, 300);
    }

    private static byte[][] sets(int... numbers) {
        return Arrays.stream(numbers).mapToObj(number -> SETS[number]).toArray(byte[][]::new);
    }

    /** Neighbours are mostly equal, as in tables. */
    private static byte[][] random(Random random) {
        byte[][] sets = new byte[random.nextInt(200)][];
        for (int i = 0; i < sets.length; i++) {
            boolean same = i > 0 && random.nextInt(4) > 0;
            sets[i] = same ? sets[i - 1] : SETS[random.nextInt(SETS.length)];
        }
        return sets;
    }

    /** Said destination by destination. */
    private static Alternatives of(long routes, byte[][] sets) {
        Alternatives.Builder builder = new Alternatives.Builder(routes);
        for (int i = 0; i < sets.length; i++) {
            builder.run(i + 1, sets[i].clone());
        }
        return builder.build();
    }

    private static void assertSame(Alternatives alternatives, long routes, byte[][] sets) {
        assertThat(alternatives.routesDigest()).isEqualTo(sets.length == 0 ? alternatives.routesDigest() : routes);
        assertThat(alternatives.entryCount()).isEqualTo(sets.length);
        for (int i = 0; i < sets.length; i++) {
            assertThat(alternatives.at(i)).as("destination %d", i).isEqualTo(sets[i]);
        }
        assertThat(alternatives.at(sets.length)).isEmpty();
        assertThat(alternatives.at(Integer.MAX_VALUE - 1)).isEmpty();
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void shouldArriveAsTheyAreWhateverWasHeldBefore(long seed) {
        Random random = new Random(seed);
        byte[][] first = random(random);
        byte[][] second = random(random);
        Alternatives before = of(11, first);
        Alternatives after = of(12, second);

        Alternatives whole = AlternativesCodec.apply(AlternativesCodec.whole(after), before);
        Alternatives changed = AlternativesCodec.apply(AlternativesCodec.difference(before, after), before);

        assertSame(before, 11, first);
        assertSame(whole, 12, second);
        assertSame(changed, 12, second);
        assertThat(whole.digest()).isEqualTo(after.digest()).isEqualTo(changed.digest());
        BitSet different = new BitSet();
        for (int i = 0; i < Math.max(first.length, second.length); i++) {
            different.set(i, !Arrays.equals(before.at(i), after.at(i)));
        }
        assertThat(after.differences(before)).isEqualTo(different);
        assertThat(before.differences(after)).isEqualTo(different);
    }

    @Test
    void shouldTellARouteDigestAloneInAFewBytes() {
        byte[][] sets = new byte[60_000][];
        Arrays.fill(sets, SETS[7]);
        Alternatives before = of(1, sets);
        Alternatives after = of(2, sets);

        PortSetTable difference = AlternativesCodec.difference(before, after);

        assertThat(difference.getSerializedSize()).isLessThan(50);
        assertThat(difference.getPortsCount()).isZero();
        assertThat(AlternativesCodec.apply(difference, before).digest())
                .isEqualTo(after.digest())
                .isNotEqualTo(before.digest());
    }

    @Test
    void shouldCountOnePortAsNone() {
        assertThat(new Alternatives.Builder(1).run(3, new byte[] {4}).build().digest())
                .isEqualTo(of(1, sets(0, 0, 0)).digest());
    }

    @Test
    void shouldTellDigestsApart() {
        assertThat(Stream.of(
                                Alternatives.NONE,
                                of(1, sets(2, 2)),
                                of(2, sets(2, 2)),
                                of(1, sets(2, 2, 2)),
                                of(1, sets(2, 3)),
                                of(1, sets(3, 2)),
                                of(1, sets(0, 0)),
                                of(1, sets(0, 0, 0)))
                        .map(Alternatives::digest))
                .doesNotHaveDuplicates();
    }

    static Stream<PortSetTable> malformed() {
        return Stream.of(
                GOOD.toBuilder().addRun(1).build(),
                GOOD.toBuilder().addRun(1).addRun(1).build(),
                GOOD.toBuilder().setEntryCount(5).build(),
                GOOD.toBuilder().setEntryCount(-1).build(),
                GOOD.toBuilder()
                        .setEntryCount(SouthboundProtocol.MAX_ENTRIES + 1)
                        .build(),
                GOOD.toBuilder().setRun(0, 0).build(),
                GOOD.toBuilder().setRun(0, -1).build(),
                GOOD.toBuilder().setRun(0, Integer.MAX_VALUE).build(),
                GOOD.toBuilder().setRun(1, 4).build(),
                GOOD.toBuilder().setRun(1, -1).build(),
                withSet(new byte[0]),
                withSet(new byte[] {1}),
                withSet(new byte[] {2, 1}),
                withSet(new byte[] {1, 1}),
                withSet(new byte[] {0, 1}),
                withSet(new byte[] {1, (byte) 255}));
    }

    private static PortSetTable withSet(byte[] ports) {
        return GOOD.toBuilder().setPorts(0, ByteString.copyFrom(ports)).build();
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void shouldRefuseWhatIsNoTable(PortSetTable table) {
        assertRefused(table, Alternatives.NONE, Reason.MALFORMED);
    }

    @Test
    void shouldRefuseWhatStandsOnOthersOrIsNotWhatWasMeant() {
        Alternatives before = of(1, sets(2, 2));
        PortSetTable difference = AlternativesCodec.difference(before, of(1, sets(2, 3)));

        assertRefused(difference, of(2, sets(2, 2)), Reason.BASE_MISMATCH);
        assertRefused(difference, Alternatives.NONE, Reason.BASE_MISMATCH);
        assertRefused(GOOD.toBuilder().setResultDigest(7).build(), Alternatives.NONE, Reason.DIGEST_MISMATCH);
        assertRefused(GOOD.toBuilder().setRoutesDigest(7).build(), Alternatives.NONE, Reason.DIGEST_MISMATCH);
    }

    private static void assertRefused(PortSetTable table, Alternatives present, Reason reason) {
        assertThatThrownBy(() -> AlternativesCodec.apply(table, present))
                .isInstanceOfSatisfying(
                        TableRefusedException.class,
                        refused -> assertThat(refused.reason())
                                .as(refused.getMessage())
                                .isEqualTo(reason));
    }
}
