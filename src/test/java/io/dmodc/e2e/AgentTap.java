package io.dmodc.e2e;

import io.dmodc.southbound.proto.AgentFrame;
import io.dmodc.southbound.proto.ManagerFrame;
import io.dmodc.southbound.proto.PortTable;
import io.dmodc.southbound.proto.PortTable.Piece;
import io.dmodc.southbound.proto.TablePush;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Stands between agents and a manager, passes every frame on as it is, and keeps book of the tables: what each switch said that
 * it holds, and what was sent to it. Where there is no manager it hangs up, as a host does on which none runs.
 */
final class AgentTap implements AutoCloseable {
    /**
     * A table that was sent.
     *
     * @param blocks written by it; 0 for one that was sent before, as a switch takes each version once
     * @param held digest of what the switch held when it was sent, as far as it had said
     */
    record Pushed(long guid, long leaderEpoch, long fabricEpoch, int blocks, long held, long result) {}

    private final ServerSocket server;
    private final Set<Socket> open = new HashSet<>();
    private final Map<Long, Long> held = new HashMap<>();
    private final List<Pushed> pushes = new ArrayList<>();
    private @Nullable InetSocketAddress manager;
    private boolean closed;
    private final Set<Long> away = new HashSet<>();

    AgentTap() throws IOException {
        server = new ServerSocket(0, 256, InetAddress.getLoopbackAddress());
        thread("tap", this::accept);
    }

    /** Where agents connect. */
    int port() {
        return server.getLocalPort();
    }

    /** Where the manager listens from now on; {@code null}: nowhere. */
    synchronized void leadTo(@Nullable InetSocketAddress address) {
        manager = address;
    }

    /** Keeps the agent of this switch away from managers: it is hung up on when it greets. */
    synchronized void keepAway(long guid) {
        away.add(guid);
    }

    synchronized void letReturn(long guid) {
        away.remove(guid);
    }

    /** How many agents are kept away. */
    synchronized int awayCount() {
        return away.size();
    }

    private synchronized void refuseAway(long guid) throws IOException {
        if (away.contains(guid)) {
            throw new IOException("kept away");
        }
    }

    private static void thread(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket agent = server.accept();
                agent.setTcpNoDelay(true);
                thread("tap-agent", () -> serve(agent));
            } catch (IOException e) {
                if (!server.isClosed()) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }

    private void serve(Socket agent) {
        try (agent;
                Socket upstream = new Socket()) {
            InetSocketAddress to;
            synchronized (this) {
                to = manager;
                if (to == null || closed) {
                    return;
                }
                open.add(agent);
                open.add(upstream);
            }
            upstream.setTcpNoDelay(true);
            upstream.connect(to);
            Connection connection = new Connection(agent, upstream);
            thread("tap-manager", connection::down);
            connection.up();
        } catch (IOException e) {
            // Either end hung up; both do now.
        } finally {
            synchronized (this) {
                open.remove(agent);
                open.removeIf(Socket::isClosed);
            }
        }
    }

    /** An agent's session while it lasts. */
    private final class Connection {
        private final Socket agent;
        private final Socket manager;

        /** Of the switch, once it has greeted; 0 before. */
        private volatile long guid;

        Connection(Socket agent, Socket manager) {
            this.agent = agent;
            this.manager = manager;
        }

        void up() throws IOException {
            DataInputStream in = new DataInputStream(agent.getInputStream());
            DataOutputStream out = new DataOutputStream(manager.getOutputStream());
            try {
                while (true) {
                    byte[] frame = read(in);
                    said(AgentFrame.parseFrom(frame));
                    write(out, frame);
                }
            } finally {
                manager.close();
            }
        }

        private void said(AgentFrame frame) throws IOException {
            if (frame.hasHello()) {
                guid = frame.getHello().getSwitchGuid();
                refuseAway(guid);
                greeted(guid, frame.getHello().getTable().getDigest());
            } else if (frame.hasTableAck()) {
                acknowledged(guid, frame.getTableAck().getDigest());
            }
        }

        void down() {
            try (agent;
                    manager) {
                DataInputStream in = new DataInputStream(manager.getInputStream());
                DataOutputStream out = new DataOutputStream(agent.getOutputStream());
                while (true) {
                    byte[] frame = read(in);
                    ManagerFrame told = ManagerFrame.parseFrom(frame);
                    if (told.hasTablePush()) {
                        pushed(guid, told.getTablePush());
                    }
                    write(out, frame);
                }
            } catch (IOException e) {
                // Either end hung up.
            }
        }
    }

    private static byte[] read(DataInputStream in) throws IOException {
        byte[] frame = new byte[in.readInt()];
        in.readFully(frame);
        return frame;
    }

    private static void write(DataOutputStream out, byte[] frame) throws IOException {
        out.write(RawPeer.framed(frame));
    }

    private synchronized void greeted(long guid, long digest) {
        held.put(guid, digest);
    }

    private synchronized void acknowledged(long guid, long digest) {
        held.put(guid, digest);
    }

    private synchronized void pushed(long guid, TablePush push) {
        PortTable routes = push.getTables(0).getRoutes();
        pushes.add(new Pushed(
                guid,
                push.getLeaderEpoch(),
                push.getFabricEpoch(),
                isRepeated(guid, push)
                        ? 0
                        : routes.getPiecesList().stream()
                                .mapToInt(AgentTap::blocks)
                                .sum(),
                held.getOrDefault(guid, 0L),
                routes.getResultDigest()));
        notifyAll();
    }

    /** It was sent before, and the answer came late or never. */
    private boolean isRepeated(long guid, TablePush push) {
        return pushes.stream()
                .anyMatch(sent -> sent.guid() == guid
                        && sent.leaderEpoch() == push.getLeaderEpoch()
                        && sent.fabricEpoch() == push.getFabricEpoch()
                        && sent.result() == push.getTables(0).getRoutes().getResultDigest()
                        && sent.result() == held.getOrDefault(guid, 0L));
    }

    private static int blocks(Piece piece) {
        return piece.hasRaw() ? piece.getRaw().getBlockCount() : piece.getRuns().getBlockCount();
    }

    /** Digests of the tables that the switches said they hold, by GUID. */
    synchronized Map<Long, Long> held() {
        return new HashMap<>(held);
    }

    /** The switch lost its table; what it says next counts. */
    synchronized void lost(long guid) {
        held.remove(guid);
    }

    /** How many tables were sent so far. */
    synchronized int pushCount() {
        return pushes.size();
    }

    /** Tables that were sent, from the n-th on. */
    synchronized List<Pushed> pushesFrom(int first) {
        return List.copyOf(pushes.subList(first, pushes.size()));
    }

    /** Waits until so many tables have been sent, and not longer than this; true if they have. */
    synchronized boolean awaitPushes(int count, long millis) throws InterruptedException {
        long end = System.nanoTime() + millis * 1_000_000;
        long left = millis;
        while (pushes.size() < count && left > 0) {
            wait(left);
            left = (end - System.nanoTime()) / 1_000_000;
        }
        return pushes.size() >= count;
    }

    @Override
    public void close() throws IOException {
        server.close();
        List<Socket> left;
        synchronized (this) {
            closed = true;
            left = List.copyOf(open);
        }
        for (Socket socket : left) {
            socket.close();
        }
    }
}
