package io.dmodc.manager.southbound;

import io.dmodc.southbound.proto.Hello;
import io.netty.buffer.ByteBuf;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * Which ring one agent holds, and so which bytes it is sent next. A session that cannot take bytes for a while is told the
 * newest ring afterwards, not each one in between. On the channel's event loop only.
 */
final class SessionRing {
    private final MembershipFrames frames;
    private final InetAddress manager;
    private final boolean differences;
    private long told;

    /**
     * @param hello says which ring the agent holds from sessions before, and whether it takes differences at all
     * @param manager address of this manager as the agent reaches it
     */
    SessionRing(MembershipFrames frames, Hello hello, InetAddress manager) {
        this.frames = frames;
        this.manager = manager;
        differences = hello.getMembershipDifferences();
        told = hello.getMembershipEpoch();
    }

    /** Returns the frame that brings the agent to the newest ring, to be sent at once; null if it holds that. */
    @Nullable
    ByteBuf next() {
        MembershipFrames.Frame frame = frames.after(told, differences, manager);
        if (frame == null) {
            return null;
        }
        told = frame.epoch();
        return frame.bytes();
    }
}
