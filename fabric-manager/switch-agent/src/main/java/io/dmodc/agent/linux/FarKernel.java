package io.dmodc.agent.linux;

import java.io.IOException;
import java.net.ConnectException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.Socket;

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
     * Waits for an answer.
     *
     * @param far link-local, with the interface to go by
     * @param port where nobody listens for connections to that address
     */
    static boolean answers(Inet6Address far, int port) {
        for (int question = 0; question < QUESTIONS; question++) {
            try (Socket socket = new Socket()) {
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
}
