package io.dmodc.agent.linux;

import java.io.IOException;
import java.net.ConnectException;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

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
            if (answersOnce(new InetSocketAddress(far, port))) {
                return true;
            }
        }
        return false;
    }

    private static boolean answersOnce(InetSocketAddress far) {
        try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.INET6);
                Selector selector = Selector.open()) {
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_CONNECT);
            return hasAnswer(channel, selector, far);
        } catch (IOException e) {
            return true; // no more sockets
        }
    }

    /**
     * The wait begins when the question was sent, and when it is over the answer is looked for once more: a thread that the processor was taken from
     * asks late, and waits longer, but misses none. {@link java.net.Socket#connect} counts from when it is called, and then it has not asked.
     */
    private static boolean hasAnswer(SocketChannel channel, Selector selector, InetSocketAddress far) {
        try {
            if (!channel.connect(far)) {
                selector.select(WAIT_MILLIS / QUESTIONS);
            }
            return channel.finishConnect();
        } catch (ConnectException e) {
            return true; // refused; where there is no way, or no answer, that is another exception
        } catch (IOException e) {
            return false;
        }
    }
}
