package io.dmodc.southbound;

import io.netty.channel.ChannelPipeline;
import io.netty.channel.WriteBufferWaterMark;

/**
 * Puts the protocol's handlers onto a channel, in the one order that works. The caller adds its own session handler
 * last.
 */
public final class SouthboundPipeline {
    /** Backpressure of one connection: stop handing over frames while the channel is not writable. */
    public static final WriteBufferWaterMark WATER_MARK = new WriteBufferWaterMark(
            SouthboundProtocol.WRITE_LOW_WATER_BYTES, SouthboundProtocol.WRITE_HIGH_WATER_BYTES);

    private SouthboundPipeline() {}

    /**
     * Equips a manager's side: {@code AgentFrame}s come in, {@code ManagerFrame}s may be written, what breaks the
     * protocol arrives in {@code exceptionCaught} as a {@link FrameException} to be answered with
     * {@link RefusalSender#send}.
     *
     * @return tell it when the Hello was accepted
     */
    public static SilenceGuard manager(ChannelPipeline pipeline, FrameLimits limits) {
        return equip(pipeline, limits, FrameDecoder.ofAgents(limits), SilenceGuard.ofManager(limits));
    }

    /**
     * Equips an agent's side: {@code ManagerFrame}s come in, {@code AgentFrame}s may be written.
     *
     * @return tell it when the Welcome came
     */
    public static SilenceGuard agent(ChannelPipeline pipeline, FrameLimits limits) {
        return equip(pipeline, limits, FrameDecoder.ofManagers(limits), SilenceGuard.ofAgent(limits));
    }

    private static SilenceGuard equip(
            ChannelPipeline pipeline, FrameLimits limits, FrameDecoder<?> decoder, SilenceGuard guard) {
        pipeline.channel().config().setWriteBufferWaterMark(WATER_MARK);
        pipeline.addLast("frame-encoder", new FrameEncoder(limits.maxFrameBytes()));
        pipeline.addLast("frame-decoder", decoder);
        pipeline.addLast("silence-guard", guard);
        return guard;
    }
}
