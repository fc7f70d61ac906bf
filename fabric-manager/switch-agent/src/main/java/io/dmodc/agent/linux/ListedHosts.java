package io.dmodc.agent.linux;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Cables that are found out, and hosts that somebody listed because they say nothing of themselves. */
public final class ListedHosts extends CablingFilter {
    private final Map<Integer, FarEnd> listed;

    /**
     * @param announced who is at the far ends of all other ports, and of those where somebody announces himself; closed with this
     * @param listed by port
     */
    public ListedHosts(Cabling announced, Map<Integer, FarEnd> listed) {
        super(announced);
        this.listed = Map.copyOf(listed);
    }

    @Override
    public @Nullable FarEnd farEnd(int port) {
        FarEnd heard = super.farEnd(port);
        return heard == null ? listed.get(port) : heard;
    }
}
