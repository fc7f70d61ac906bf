package io.dmodc.agent.linux;

import java.io.IOException;
import java.net.ConnectException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;

/**
 * Tells a dead agent from a dead cable: whoever asks for a connection to a port where nobody listens is told so by the kernel at the far end,
 * whether or not an agent runs there. Kernels do not limit how often they say that. Needs no privilege.
 */
final class FarKernel {
    /** So long an answer may take; over a cable, one takes a fraction of a millisecond. */
    static final int WAIT_MILLIS = 21;

    /** Questions in that time: a cable that loses some frames carries. */
    private static final int QUESTIONS = 3;

    private FarKernel() {}

    /**
     * Waits for an answer. True also where this process may open no more sockets: it was not asked then, and nothing is moved because of that.
     *
     * @param far link-local, with the interface to go by
     * @param port where nobody listens for connections to that address
     */
    static boolean answers(Inet6Address far, int port) {
        for (int question = 0; question < QUESTIONS; question++) {
            try (Socket socket = new Socket()) {
                if (!isMade(socket)) {
                    return true;
                }
                socket.connect(new InetSocketAddress(far, port), WAIT_MILLIS / QUESTIONS);
                return true;
            } catch (ConnectException e) {
                return true; // refused; where there is no way, or no answer, that is another exception
            } catch (IOException e) {
                // No answer to this one.
            }
        }
        return false;
    }

    /** Java makes one when something is first asked of it, which would fail as a connection that finds no way does. */
    private static boolean isMade(Socket socket) {
        try {
            socket.setTcpNoDelay(true);
            return true;
        } catch (SocketException e) {
            return false;
        }
    }
}
