package io.dmodc.southbound;

import java.time.Duration;

/**
 * What one side allows the other on a connection.
 *
 * @param maxFrameBytes longest message after the length, {@value SouthboundProtocol#MIN_MAX_FRAME_BYTES} or more
 * @param helloTimeout from the connection to the end of the greeting
 * @param frameTimeout from the first byte of a frame to its last
 */
public record FrameLimits(int maxFrameBytes, Duration helloTimeout, Duration frameTimeout) {
    /** The protocol's defaults. */
    public static final FrameLimits DEFAULT = new FrameLimits(
            SouthboundProtocol.MAX_FRAME_BYTES, SouthboundProtocol.HELLO_TIMEOUT, SouthboundProtocol.FRAME_TIMEOUT);

    /** Checks the ranges. */
    public FrameLimits {
        if (maxFrameBytes < SouthboundProtocol.MIN_MAX_FRAME_BYTES) {
            throw new IllegalArgumentException(
                    "maxFrameBytes: " + maxFrameBytes + " is below " + SouthboundProtocol.MIN_MAX_FRAME_BYTES);
        }
        if (helloTimeout.toNanos() <= 0 || frameTimeout.toNanos() <= 0) {
            throw new IllegalArgumentException("timeouts " + helloTimeout + ", " + frameTimeout + " must be positive");
        }
    }
}
