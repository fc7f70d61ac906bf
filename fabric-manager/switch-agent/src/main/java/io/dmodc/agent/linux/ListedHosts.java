package io.dmodc.agent.linux;

import io.dmodc.agent.plane.HelloChannel;
import java.util.Map;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** Cables that are found out, and hosts that somebody listed because they say nothing of themselves. */
public final class ListedHosts implements Cabling {
    private final Cabling announced;
    private final Map<Integer, FarEnd> listed;

    /**
     * @param announced who is at the far ends of all other ports, and of those where somebody announces himself; closed with this
     * @param listed by port
     */
    public ListedHosts(Cabling announced, Map<Integer, FarEnd> listed) {
        this.announced = announced;
        this.listed = Map.copyOf(listed);
    }

    @Override
    public void carrier(int port, @Nullable String interfaceName) {
        announced.carrier(port, interfaceName);
    }

    @Override
    public @Nullable FarEnd farEnd(int port) {
        FarEnd heard = announced.farEnd(port);
        return heard == null ? listed.get(port) : heard;
    }

    @Override
    public boolean answers(int port) {
        return announced.answers(port);
    }

    @Override
    public HelloChannel hellos() {
        return announced.hellos();
    }

    @Override
    public void listen(IntConsumer changed) {
        announced.listen(changed);
    }

    @Override
    public void close() {
        announced.close();
    }
}
