package io.dmodc.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.agent.plane.ForwardingPlane;
import io.dmodc.agent.plane.Neighbour.HostPort;
import io.dmodc.agent.plane.Neighbour.SwitchPort;
import io.dmodc.agent.plane.PortState;
import io.dmodc.southbound.proto.AgentFrame;
import io.dmodc.southbound.proto.Hello;
import io.dmodc.southbound.proto.HostNeighbour;
import io.dmodc.southbound.proto.ManagerFrame;
import io.dmodc.southbound.proto.Port;
import io.dmodc.southbound.proto.PortReport;
import io.dmodc.southbound.proto.Refusal;
import io.dmodc.southbound.proto.SwitchNeighbour;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Somebody on the southbound port who writes whatever bytes he likes, over a plain blocking socket and with no code of the
 * agent.
 */
final class RawPeer implements AutoCloseable {
    private static final int PATIENCE_MILLIS = 60_000;

    private final Socket socket;
    private final OutputStream out;
    private final DataInputStream in;

    private RawPeer(Socket socket) throws IOException {
        this.socket = socket;
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.setTcpNoDelay(true);
        out = socket.getOutputStream();
        in = new DataInputStream(socket.getInputStream());
    }

    static RawPeer at(InetSocketAddress manager) throws IOException {
        return new RawPeer(new Socket(manager.getAddress(), manager.getPort()));
    }

    RawPeer says(byte[] bytes) throws IOException {
        out.write(bytes);
        return this;
    }

    RawPeer says(String text) throws IOException {
        return says(text.getBytes(StandardCharsets.US_ASCII));
    }

    RawPeer says(AgentFrame frame) throws IOException {
        return says(framed(frame.toByteArray()));
    }

    /** A body with its length before it. */
    static byte[] framed(byte[] body) {
        return ByteBuffer.allocate(4 + body.length)
                .putInt(body.length)
                .put(body)
                .array();
    }

    static Hello.Builder hello(long guid, int portCount) {
        return Hello.newBuilder()
                .setProtocolMin(2)
                .setProtocolMax(2)
                .setSwitchGuid(guid)
                .setName("stranger")
                .setPortCount(portCount)
                .setIncarnation(1);
    }

    static AgentFrame frame(Hello.Builder hello) {
        return AgentFrame.newBuilder().setHello(hello).build();
    }

    static AgentFrame frame(PortReport.Builder report) {
        return AgentFrame.newBuilder().setPortReport(report).build();
    }

    /** The first report of a session, of a switch that has no agent of its own. */
    static PortReport.Builder reportOf(ForwardingPlane plane) {
        PortReport.Builder report = PortReport.newBuilder().setSequence(1).setComplete(true);
        plane.ports().forEach(port -> report.addPorts(port(port)));
        return report;
    }

    private static Port port(PortState state) {
        Port.Builder port = Port.newBuilder().setNumber(state.number()).setUp(state.up());
        if (state.neighbour() instanceof SwitchPort end) {
            port.setSwitchNeighbour(
                    SwitchNeighbour.newBuilder().setGuid(end.guid()).setPort(end.port()));
        } else if (state.neighbour() instanceof HostPort host) {
            port.setHostNeighbour(HostNeighbour.newBuilder()
                    .setPortGuid(host.portGuid())
                    .setHostGuid(host.hostGuid())
                    .setHostPort(host.port()));
        }
        return port.build();
    }

    /** The next frame that is no keep-alive. */
    ManagerFrame hears() throws IOException {
        ManagerFrame frame;
        do {
            byte[] body = new byte[in.readInt()];
            in.readFully(body);
            frame = ManagerFrame.parseFrom(body);
        } while (frame.hasKeepAlive());
        return frame;
    }

    RawPeer isWelcomed() throws IOException {
        assertThat(hears().hasWelcome()).isTrue();
        return this;
    }

    /** All frames up to a refusal; nothing follows it, the connection ends. */
    List<ManagerFrame> hearsToTheEnd() throws IOException {
        List<ManagerFrame> frames = new ArrayList<>();
        do {
            frames.add(hears());
        } while (!frames.get(frames.size() - 1).hasRefusal());
        assertThat(in.read()).as("bytes after a refusal").isEqualTo(-1);
        return frames;
    }

    Refusal isRefused() throws IOException {
        List<ManagerFrame> frames = hearsToTheEnd();
        return frames.get(frames.size() - 1).getRefusal();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
