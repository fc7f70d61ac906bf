package io.dmodc.southbound;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class MembershipDigestTest {
    private static final byte[] FOUR = {10, 0, 0, 5};

    private static long of(long guid, int incarnation, byte[] address, int port) {
        return new MembershipDigest(1).add(guid, incarnation, address, port).value();
    }

    @Test
    void shouldBeTheDigestOfTheBytesTheDocumentNames() throws Exception {
        byte[] bytes = {
            0x2c, 0x1b, 0x0a, 0x00, 0x03, (byte) 0xc9, 0x02, 0x00, 7, 0, 0, 0, 0x2f, 0x1d, 4, 10, 0, 0, 5,
        };
        long digest = of(0x0002c903_000a1b2cL, 7, FOUR, 7471);

        assertThat(digest).isEqualTo(TableDigest.of(bytes));
        assertThat(Files.readString(Path.of("../../docs/southbound-protocol.md")))
                .contains(String.format("0x%016x", digest));
    }

    @Test
    void shouldTellEveryFieldAndTheOrderApart() {
        long digest = of(1, 2, FOUR, 3);

        assertThat(digest)
                .isNotEqualTo(of(2, 2, FOUR, 3))
                .isNotEqualTo(of(1, 3, FOUR, 3))
                .isNotEqualTo(of(1, 2, new byte[] {10, 0, 0, 6}, 3))
                .isNotEqualTo(of(1, 2, new byte[16], 3))
                .isNotEqualTo(of(1, 2, FOUR, 4));
        assertThat(new MembershipDigest(2).add(1, 2, FOUR, 3).add(2, 2, FOUR, 3).value())
                .isNotEqualTo(new MembershipDigest(2)
                        .add(2, 2, FOUR, 3)
                        .add(1, 2, FOUR, 3)
                        .value());
        assertThat(new MembershipDigest(5).value()).isZero();
    }

    @Test
    void shouldTakeAsManyOfTheLongestAsThereMayBe() {
        MembershipDigest digest = new MembershipDigest(SouthboundProtocol.MAX_MEMBERS);
        for (int i = 0; i < SouthboundProtocol.MAX_MEMBERS; i++) {
            digest.add(i, i, new byte[16], 65_535);
        }

        assertThat(digest.value()).isNotZero();
    }
}
