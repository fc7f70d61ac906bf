package io.dmodc.southbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.MessageLite;
import io.dmodc.southbound.proto.AgentFrame;
import io.dmodc.southbound.proto.Hello;
import io.dmodc.southbound.proto.KeepAlive;
import io.dmodc.southbound.proto.ManagerFrame;
import io.dmodc.southbound.proto.Member;
import io.dmodc.southbound.proto.Membership;
import io.dmodc.southbound.proto.PortQuery;
import io.dmodc.southbound.proto.PortTable;
import io.dmodc.southbound.proto.Refusal.Reason;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.EncoderException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FramesTest {
    private static final FrameLimits LIMITS = new FrameLimits(1 << 20, Duration.ofSeconds(5), Duration.ofSeconds(10));

    private final List<EmbeddedChannel> channels = new ArrayList<>();

    @AfterEach
    void release() {
        channels.forEach(EmbeddedChannel::finishAndReleaseAll);
    }

    @Test
    void shouldCarryAMembershipAsASubMessageWould() throws Exception {
        Membership membership = Membership.newBuilder()
                .setEpoch(5)
                .addMembers(Member.newBuilder().setGuid(0x10))
                .build();
        ByteString.Output declaredAsMessage = ByteString.newOutput();
        CodedOutputStream out = CodedOutputStream.newInstance(declaredAsMessage);
        out.writeMessage(ManagerFrame.MEMBERSHIP_FIELD_NUMBER, membership);
        out.flush();

        ManagerFrame frame = ManagerFrame.parseFrom(declaredAsMessage.toByteString());

        assertThat(Membership.parseFrom(frame.getMembership())).isEqualTo(membership);
        assertThat(ManagerFrame.newBuilder()
                        .setMembership(membership.toByteString())
                        .build()
                        .toByteString())
                .isEqualTo(declaredAsMessage.toByteString());
    }

    /** A side of a connection, the manager's unless told, on a clock that stands still until told. */
    private final class Side {
        final EmbeddedChannel channel = new EmbeddedChannel();
        final List<FrameException> failures = new ArrayList<>();
        final List<Throwable> others = new ArrayList<>();
        final SilenceGuard guard;

        Side() {
            this(SouthboundPipeline::manager);
        }

        Side(BiFunction<ChannelPipeline, FrameLimits, SilenceGuard> pipeline) {
            channels.add(channel);
            channel.freezeTime();
            guard = pipeline.apply(channel.pipeline(), LIMITS);
            channel.pipeline().addLast(new ChannelInboundHandlerAdapter() {
                @Override
                public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
                    if (cause instanceof FrameException failure) {
                        failures.add(failure);
                    } else {
                        others.add(cause);
                    }
                }
            });
        }

        void receive(byte[] bytes) {
            channel.writeInbound(Unpooled.wrappedBuffer(bytes));
        }

        void pass(long millis) {
            channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
            channel.runScheduledPendingTasks();
        }

        List<Object> frames() {
            List<Object> frames = new ArrayList<>();
            for (Object next = channel.readInbound(); next != null; next = channel.readInbound()) {
                frames.add(next);
            }
            return frames;
        }

        void assertFailed(Reason reason, String text) {
            assertThat(failures).singleElement().satisfies(failure -> {
                assertThat(failure.reason()).isEqualTo(reason);
                assertThat(failure).hasMessageContaining(text);
            });
        }
    }

    private static AgentFrame hello(String name) {
        return AgentFrame.newBuilder()
                .setHello(Hello.newBuilder().setSwitchGuid(0x10).setName(name).setPortCount(36))
                .build();
    }

    private static byte[] framed(MessageLite message) {
        byte[] bytes = message.toByteArray();
        return Unpooled.buffer(4 + bytes.length)
                .writeInt(bytes.length)
                .writeBytes(bytes)
                .array();
    }

    @Test
    void shouldWriteLengthThenMessage() {
        EmbeddedChannel channel = new EmbeddedChannel(new FrameEncoder(1 << 20));
        AgentFrame hello = hello("leaf0");

        channel.writeOutbound(hello);

        ByteBuf bytes = channel.readOutbound();
        byte[] written = new byte[bytes.readableBytes()];
        bytes.readBytes(written);
        bytes.release();
        assertThat(written).isEqualTo(framed(hello));
    }

    @Test
    void shouldNotSendWhatThePeerWouldRefuse() {
        EmbeddedChannel channel = new EmbeddedChannel(new FrameEncoder(100));

        assertThatThrownBy(() -> channel.writeOutbound(hello("x".repeat(100))))
                .isInstanceOf(EncoderException.class)
                .hasMessageContaining("more than the peer's 100");
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void shouldReadFramesHoweverTheyAreCut(long seed) {
        Random random = new Random(seed);
        List<Object> sent = new ArrayList<>();
        ByteBuf stream = Unpooled.buffer();
        for (int i = 0; i < 200; i++) {
            AgentFrame frame = hello("n".repeat(random.nextInt(300)));
            sent.add(frame);
            stream.writeBytes(framed(frame));
        }
        Side manager = new Side();

        while (stream.isReadable()) {
            byte[] part = new byte[Math.min(stream.readableBytes(), 1 + random.nextInt(400))];
            stream.readBytes(part);
            manager.receive(part);
        }

        assertThat(manager.frames()).isEqualTo(sent);
        assertThat(manager.failures).isEmpty();
        stream.release();
    }

    @Test
    void shouldNameAnotherProtocol() {
        Side manager = new Side();

        manager.receive("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));

        manager.assertFailed(
                Reason.GARBAGE, "first frame would be 1195725856 bytes, more than 1048576: not a switch agent?");
    }

    @Test
    void shouldSayThatTheOtherSideSpeaksTls() {
        Side manager = new Side();

        manager.receive(new byte[] {0x16, 3, 1, 2, 0, 1, 0, 1, (byte) 0xfc});

        manager.assertFailed(Reason.GARBAGE, "TLS came; authentication is off here");
    }

    @Test
    void shouldTellOversizeFromGarbage() {
        Side first = new Side();
        first.receive(new byte[] {0, 0x10, 0, 1});
        Side later = new Side();
        later.receive(framed(hello("leaf0")));
        later.receive("GET /".getBytes(StandardCharsets.US_ASCII));

        first.assertFailed(Reason.OVERSIZE, "first frame would be 1048577 bytes, more than 1048576");
        later.assertFailed(Reason.OVERSIZE, "frame 2 would be 1195725856 bytes");
    }

    @Test
    void shouldTakeTheLargestFrame() {
        ManagerFrame frame = ManagerFrame.newBuilder()
                .setTablePush(TableCodec.push(
                        new TableVersion(1, 1),
                        PortTable.newBuilder()
                                .addPieces(PortTable.Piece.newBuilder()
                                        .setRaw(io.dmodc.southbound.proto.RawBlocks.newBuilder()
                                                .setEntries(
                                                        com.google.protobuf.ByteString.copyFrom(new byte[1_000_000]))))
                                .build()))
                .build();
        FrameLimits exact = new FrameLimits(frame.getSerializedSize(), LIMITS.helloTimeout(), LIMITS.frameTimeout());
        EmbeddedChannel channel = new EmbeddedChannel(FrameDecoder.ofManagers(exact));

        channel.writeInbound(Unpooled.wrappedBuffer(framed(frame)));

        assertThat(channel.<ManagerFrame>readInbound()).isEqualTo(frame);
    }

    @Test
    void shouldRefuseAFrameThatDoesNotParseOrSaysNothing() {
        Side truncated = new Side();
        truncated.receive(new byte[] {0, 0, 0, 2, 0x0a, 0x7f});
        Side empty = new Side();
        empty.receive(new byte[] {0, 0, 0, 0});

        truncated.assertFailed(Reason.GARBAGE, "frame 1 (2 bytes) is no frame of a switch agent");
        empty.assertFailed(Reason.GARBAGE, "frame 1 (0 bytes) has no body known to version 2");
    }

    @Test
    void shouldDropEverythingAfterAFailure() {
        Side manager = new Side();
        manager.receive(new byte[] {0, 0, 0, 0});

        manager.receive(framed(hello("late")));
        manager.pass(4000);

        assertThat(manager.frames()).isEmpty();
        assertThat(manager.failures).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
    void shouldSurviveRandomBytes(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            Side manager = new Side();
            byte[] noise = new byte[1 + random.nextInt(2000)];
            random.nextBytes(noise);
            if (round % 3 > 0) {
                // A believable length lets the noise through to the parser.
                byte[] length = {0, 0, (byte) random.nextInt(round % 3), (byte) random.nextInt(256)};
                System.arraycopy(length, 0, noise, 0, Math.min(noise.length, 4));
            }
            manager.receive(noise);

            assertThat(manager.others).isEmpty();
            assertThat(manager.failures).hasSizeLessThanOrEqualTo(1);
        }
    }

    @Test
    void shouldGiveUpHalfAFrameEvenIfBytesTrickle() {
        Side manager = new Side();
        byte[] frame = framed(hello("leaf0"));
        manager.guard.greeted(60_000);

        for (int i = 0; i < 10; i++) {
            manager.receive(new byte[] {frame[i]});
            manager.pass(999);
        }
        assertThat(manager.failures).isEmpty();
        manager.pass(10);

        manager.assertFailed(Reason.TOO_SLOW, "frame 1: 6 of " + (frame.length - 4) + " bytes within 10000 ms");
    }

    /** Reading stopped in the middle of the frame: the rest waits in the socket. */
    @Test
    void shouldNotHoldAPeerTooSlowThatIsNotRead() {
        Side manager = new Side();
        byte[] frame = framed(hello("leaf0"));
        manager.guard.greeted(60_000);
        manager.receive(Arrays.copyOf(frame, 10));
        manager.channel.config().setAutoRead(false);

        manager.pass(25_000);
        assertThat(manager.failures).isEmpty();
        manager.channel.config().setAutoRead(true);
        manager.pass(10_000);

        manager.assertFailed(Reason.TOO_SLOW, "frame 1: 6 of " + (frame.length - 4) + " bytes within 10000 ms");
    }

    @Test
    void shouldGiveUpHalfALength() {
        Side manager = new Side();
        manager.guard.greeted(60_000);
        manager.receive(new byte[] {0, 0});

        manager.pass(10_000);

        manager.assertFailed(Reason.TOO_SLOW, "frame 1: 2 of 4 length bytes within 10000 ms");
    }

    @Test
    void shouldTimeEachFrameAnew() {
        Side manager = new Side();
        manager.guard.greeted(60_000);
        byte[] frame = framed(hello("leaf0"));
        byte[] cut = new byte[frame.length];
        System.arraycopy(frame, 5, cut, 0, frame.length - 5);
        System.arraycopy(frame, 0, cut, frame.length - 5, 5);

        manager.receive(java.util.Arrays.copyOf(frame, 5));
        for (int i = 0; i < 5; i++) {
            manager.pass(9_000);
            manager.receive(cut);
        }

        assertThat(manager.failures).isEmpty();
        assertThat(manager.frames()).hasSize(5);
    }

    @Test
    void shouldGiveUpWithoutHello() {
        Side manager = new Side();

        manager.pass(4_999);
        assertThat(manager.failures).isEmpty();
        manager.pass(1);

        manager.assertFailed(Reason.TOO_SLOW, "no Hello within 5000 ms");
    }

    @Test
    void shouldSendKeepAlivesAndGiveUpAfterThreeSilentPeriods() {
        Side manager = new Side();
        manager.guard.greeted(2_000);
        AgentFrame alive = AgentFrame.newBuilder()
                .setKeepAlive(KeepAlive.getDefaultInstance())
                .build();

        for (int i = 0; i < 5; i++) {
            manager.pass(2_000);
            manager.receive(framed(alive));
        }
        assertThat(manager.failures).isEmpty();
        assertThat(manager.frames()).as("keep-alives are no news").isEmpty();
        assertThat(manager.channel.outboundMessages()).hasSize(5);

        manager.pass(2_000);
        manager.receive(new byte[] {0, 0});
        manager.pass(2_000);
        manager.pass(2_000);
        assertThat(manager.failures).isEmpty();
        manager.pass(2_000);
        manager.assertFailed(Reason.TOO_SLOW, "no frame for 3 keep-alive periods of 2000 ms");
    }

    @Test
    void shouldSendAnAgentsKeepAliveWithTheManagers() {
        Side agent = new Side(SouthboundPipeline::agent);
        agent.guard.greeted(2_000);
        byte[] alive = framed(ManagerFrame.newBuilder()
                .setKeepAlive(KeepAlive.getDefaultInstance())
                .build());

        for (int i = 1; i <= 5; i++) {
            agent.pass(1_990);
            agent.receive(alive);
            assertThat(agent.channel.outboundMessages()).as("one in a period").hasSize(i);
        }

        agent.pass(2_990);
        assertThat(agent.channel.outboundMessages()).as("the manager is late").hasSize(5);
        agent.pass(10);
        assertThat(agent.channel.outboundMessages()).as("by half a period").hasSize(6);
        agent.pass(2_000);
        assertThat(agent.failures).isEmpty();
        agent.pass(2_000);
        agent.assertFailed(Reason.TOO_SLOW, "no frame for 3 keep-alive periods of 2000 ms");
    }

    @Test
    void shouldSendAnAgentsKeepAlivesWhereNoneComesBesideOtherFrames() {
        Side agent = new Side(SouthboundPipeline::agent);
        agent.guard.greeted(2_000);

        for (int i = 1; i <= 5; i++) {
            agent.pass(2_000);
            agent.receive(framed(ManagerFrame.newBuilder()
                    .setPortQuery(PortQuery.getDefaultInstance())
                    .build()));
            assertThat(agent.channel.outboundMessages()).hasSize(i);
        }
        assertThat(agent.failures).isEmpty();
    }

    @Test
    void shouldNotHoldAPeerSilentBecauseThisSideStalled() {
        Side manager = new Side();
        manager.guard.greeted(2_000);

        manager.pass(30_000);
        manager.receive(framed(AgentFrame.newBuilder()
                .setKeepAlive(KeepAlive.getDefaultInstance())
                .build()));
        manager.pass(2_000);

        assertThat(manager.failures).isEmpty();
    }

    @Test
    void shouldNotHoldAPeerSilentWhileThisSideDoesNotRead() {
        Side manager = new Side();
        manager.guard.greeted(2_000);
        manager.channel.config().setAutoRead(false);
        for (int i = 0; i < 5; i++) {
            manager.pass(2_000);
        }
        assertThat(manager.failures).isEmpty();

        manager.channel.config().setAutoRead(true);
        for (int i = 0; i < 3; i++) {
            manager.pass(2_000);
        }
        manager.assertFailed(Reason.TOO_SLOW, "no frame for 3 keep-alive periods of 2000 ms");
    }

    @Test
    void shouldEncodeOnceForManyChannels() {
        AgentFrame hello = hello("leaf0");
        ByteBuf shared = FrameEncoder.shared(hello);

        for (int i = 0; i < 2; i++) {
            EmbeddedChannel channel = new EmbeddedChannel(new FrameEncoder(1 << 20));
            channel.writeOutbound(shared.retainedDuplicate());
            ByteBuf sent = channel.readOutbound();
            assertThat(ByteBufUtil.getBytes(sent)).isEqualTo(framed(hello));
            assertThat(sent.memoryAddress()).as("not copied").isEqualTo(shared.memoryAddress());
            sent.release();
            channel.finishAndReleaseAll();
        }

        assertThat(shared.refCnt()).isEqualTo(1);
        shared.release();
    }
}
