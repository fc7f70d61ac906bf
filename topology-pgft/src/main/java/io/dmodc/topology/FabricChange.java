package io.dmodc.topology;

import org.jspecify.annotations.Nullable;

/** One thing that became known about the fabric; a serialisable value, applied by {@link FabricViewBuilder#apply}. */
public sealed interface FabricChange {
    /** The switch it is about. */
    long guid();

    /** A switch exists. Seen again with another port count it is taken as replaced: its ports are forgotten. */
    record SwitchSeen(long guid, String name, int portCount) implements FabricChange {
        public SwitchSeen {
            if (portCount < 1 || portCount > FabricView.PORT_MAX) {
                throw new IllegalArgumentException("switch " + Guid.format(guid) + ": " + portCount
                        + " ports, expected 1.." + FabricView.PORT_MAX);
            }
        }
    }

    /** A known switch stopped or resumed forwarding. While it is down none of its links is live. */
    record SwitchState(long guid, boolean alive) implements FabricChange {}

    /** Nobody speaks for a known switch any more, so that what it said may be out of date, or somebody does again. */
    record SwitchHeard(long guid, boolean heard) implements FabricChange {}

    /** A switch is gone for good: it, its ports and the places of its hosts are forgotten. */
    record SwitchForgotten(long guid) implements FabricChange {}

    /**
     * One end of a cable spoke. A link is live only while both ends name each other and both say up.
     *
     * @param neighbour what is at the far end, kept while the port is down; {@code null} when nothing is
     * @param held it is up, and taken as down until it has stayed up for a while; a host at its far end is there
     */
    record PortSeen(
            long guid, int port, boolean up, @Nullable Neighbour neighbour, boolean held) implements FabricChange {
        public PortSeen {
            if (up && held) {
                throw new IllegalArgumentException(
                        "switch " + Guid.format(guid) + ": port " + port + " is taken as up and as down");
            }
        }

        /** A port that is not held. */
        public PortSeen(long guid, int port, boolean up, @Nullable Neighbour neighbour) {
            this(guid, port, up, neighbour, false);
        }
    }

    /** The far end of a cable. */
    sealed interface Neighbour {
        /**
         * True if the cable leads to the same port of the same thing, whatever that is called and whichever addresses it
         * has. Records that are not equal may be the same end all the same.
         */
        boolean isSameEnd(@Nullable Neighbour other);
    }

    /** The cable leads to a port of another switch (or of the same one: a loop-back, which no view contains). */
    record ToSwitch(long guid, int port) implements Neighbour {
        @Override
        public boolean isSameEnd(@Nullable Neighbour other) {
            return equals(other);
        }
    }

    /** The cable leads to a host. */
    record ToHost(Host host) implements Neighbour {
        @Override
        public boolean isSameEnd(@Nullable Neighbour other) {
            return other instanceof ToHost to && to.host.portGuid() == host.portGuid();
        }
    }
}
