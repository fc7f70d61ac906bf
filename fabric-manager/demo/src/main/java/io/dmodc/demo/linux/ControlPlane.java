package io.dmodc.demo.linux;

import java.io.IOException;
import java.util.List;

/**
 * Who fills the routes of a fabric: a manager and its agents, or programs that are compared with them. Processes run in the
 * namespaces of their switches and go with these at the latest. Used by one thread.
 */
interface ControlPlane extends AutoCloseable {
    /** For people. */
    String name();

    /** By what name or number {@code ip route show proto} lists its routes. */
    String routeProtocol();

    /** Starts all processes; routes come when they come. */
    void start() throws IOException, LinuxFailure;

    /** True when they know of no fault any more and would notice the next one as fast as they can. */
    boolean isReady() throws LinuxFailure;

    /** Kills the processes of a switch, as a loss of power does. */
    void kill(int s);

    /** Starts the processes of a switch again. */
    void restart(int s) throws IOException;

    /** The processes beside a switch, without those they started. */
    List<Process> processesOf(int s);

    /** The last words of their logs, for a message. */
    String lastWords();

    @Override
    void close();
}
