package io.dmodc.agent.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

/** The answer of a kernel, over the loopback interface. */
class FarKernelTest {
    private static final byte[] LOOPBACK = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};

    @Test
    void shouldTakeTheWordThatNobodyListensForAnAnswer() throws IOException {
        Inet6Address loopback = (Inet6Address) InetAddress.getByAddress(LOOPBACK);
        int port;
        try (DatagramSocket silent = new DatagramSocket(new InetSocketAddress(loopback, 0))) {
            port = silent.getLocalPort();
            assertThat(FarKernel.answers(loopback, port))
                    .as("who listens and says nothing")
                    .isFalse();
        } catch (IOException e) {
            assumeTrue(false, "no IPv6 here: " + e.getMessage());
            return;
        }
        assertThat(FarKernel.answers(loopback, port)).isTrue();
    }
}
