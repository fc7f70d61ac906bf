package io.dmodc.agent.linux;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.Inet6Address;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;

/**
 * Tells a dead agent from a dead cable: a datagram to a port where nobody listens has the kernel at the far end answer that nobody does,
 * whether or not an agent runs there. Needs no privilege.
 */
final class FarKernel {
    /** So long an answer may take; over a cable, one takes a fraction of a millisecond. */
    static final int WAIT_MILLIS = 20;

    private FarKernel() {}

    /**
     * Waits for an answer.
     *
     * @param far link-local, with the interface to go by
     * @param port where nobody listens for datagrams to that address
     */
    static boolean answers(Inet6Address far, int port) {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(new InetSocketAddress(far, port));
            socket.setSoTimeout(WAIT_MILLIS);
            socket.send(new DatagramPacket(new byte[1], 1));
            socket.receive(new DatagramPacket(new byte[1], 1));
            return true;
        } catch (PortUnreachableException e) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
