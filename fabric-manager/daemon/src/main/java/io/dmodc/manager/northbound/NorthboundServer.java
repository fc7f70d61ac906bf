package io.dmodc.manager.northbound;

import io.dmodc.manager.loop.Diary;
import io.dmodc.manager.loop.FabricLoop;
import io.dmodc.manager.southbound.AgentServer;
import java.io.IOException;
import java.net.InetSocketAddress;

/** temp */
public final class NorthboundServer implements AutoCloseable {
    public NorthboundServer(InetSocketAddress a, FabricLoop l, Diary d, AgentServer s) throws IOException {}

    public InetSocketAddress localAddress() {
        return new InetSocketAddress(java.net.InetAddress.getLoopbackAddress(), 0);
    }

    @Override
    public void close() {}
}
