package io.dmodc.manager.southbound;

import io.dmodc.southbound.proto.AgentFrame;
import io.dmodc.southbound.proto.FaultReport;
import io.dmodc.southbound.proto.Hello;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/** A peer on a real socket who talks as long as anybody listens, and reads only when told to. */
final class SilentReader implements AutoCloseable {
    private static final int RECEIVE_BYTES = 4096;

    private final SocketChannel socket;
    private ByteBuffer unsent = ByteBuffer.allocate(0);
    private long reports;

    private SilentReader(SocketChannel socket) {
        this.socket = socket;
    }

    static SilentReader connect(InetSocketAddress manager) throws IOException {
        SocketChannel socket = SocketChannel.open();
        socket.setOption(StandardSocketOptions.SO_RCVBUF, RECEIVE_BYTES);
        socket.connect(manager);
        return new SilentReader(socket);
    }

    static AgentFrame hello(long guid) {
        return AgentFrame.newBuilder()
                .setHello(Hello.newBuilder()
                        .setProtocolMin(2)
                        .setProtocolMax(2)
                        .setSwitchGuid(guid)
                        .setPortCount(4)
                        .setIncarnation(1)
                        .setMembershipDifferences(true))
                .build();
    }

    SilentReader says(AgentFrame... frames) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(1 << 20);
        for (AgentFrame frame : frames) {
            bytes.putInt(frame.getSerializedSize()).put(frame.toByteArray());
        }
        bytes.flip();
        socket.configureBlocking(true);
        socket.write(bytes);
        return this;
    }

    /** Sends fault reports until the manager takes no more for now; returns how many bytes it took. */
    int talk() throws IOException {
        socket.configureBlocking(false);
        int taken = 0;
        int written;
        do {
            if (!unsent.hasRemaining()) {
                unsent = someReports();
            }
            written = socket.write(unsent);
            taken += written;
        } while (written > 0 && taken < 1 << 20);
        return taken;
    }

    private ByteBuffer someReports() {
        ByteBuffer bytes = ByteBuffer.allocate(1 << 16);
        while (bytes.remaining() > 64) {
            byte[] report = AgentFrame.newBuilder()
                    .setFaultReport(FaultReport.newBuilder()
                            .setSequence(++reports)
                            .setKind(FaultReport.Kind.AGENT_ALIVE)
                            .setSubjectGuid(0x77)
                            .setObserverGuid(0x10))
                    .build()
                    .toByteArray();
            bytes.putInt(report.length).put(report);
        }
        return bytes.flip();
    }

    /** Reads all that comes until the manager has closed; returns the bytes. */
    byte[] readsToTheEnd() throws IOException {
        socket.configureBlocking(true);
        return socket.socket().getInputStream().readAllBytes();
    }

    SocketChannel socket() {
        return socket;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
