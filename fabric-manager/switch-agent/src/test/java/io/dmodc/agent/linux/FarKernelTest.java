package io.dmodc.agent.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.ref.Reference;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The answer of a kernel, over the loopback interface; {@link LocalRepairInNamespacesTest} has cables that bring none. */
class FarKernelTest {
    private static final Inet6Address LOOPBACK = address("00000000000000000000000000000001");

    /** Of the prefix for documentation: no way leads there. */
    private static final Inet6Address NOWHERE = address("20010db8000000000000000000000001");

    private static Inet6Address address(String hex) {
        try {
            return (Inet6Address) InetAddress.getByAddress(HexFormat.of().parseHex(hex));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void shouldTakeTheWordThatNobodyListensForAnAnswer() {
        int port;
        try (ServerSocket listening = new ServerSocket()) {
            listening.bind(new InetSocketAddress(LOOPBACK, 0));
            port = listening.getLocalPort();
            assertThat(FarKernel.answers(LOOPBACK, port)).isTrue();
        } catch (IOException e) {
            assumeTrue(false, "no IPv6 here: " + e.getMessage());
            return;
        }
        assertThat(FarKernel.answers(LOOPBACK, port)).isTrue();
    }

    /** A socket with a timeout of its own looks for proxies within that time, and gives up without having asked when the processor is taken from it. */
    @Test
    void shouldAskHoweverLongItTakesToGetThere() {
        ProxySelector before = ProxySelector.getDefault();
        ProxySelector.setDefault(new SlowSelector());
        try {
            shouldTakeTheWordThatNobodyListensForAnAnswer();
        } finally {
            ProxySelector.setDefault(before);
        }
    }

    /** Takes as long as all questions together may wait. */
    private static final class SlowSelector extends ProxySelector {
        @Override
        public List<Proxy> select(URI uri) {
            long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(FarKernel.WAIT_MILLIS);
            while (System.nanoTime() < end) {
                Thread.onSpinWait();
            }
            return List.of(Proxy.NO_PROXY);
        }

        @Override
        public void connectFailed(URI uri, SocketAddress to, IOException why) {}
    }

    @Test
    void shouldHaveNoAnswerWhereNoWayLeads() {
        assertThat(FarKernel.answers(NOWHERE, 7472)).isFalse();
    }

    @Test
    void shouldNotTakeItsOwnWantOfDescriptorsForSilence() throws Exception {
        List<String> command = new ArrayList<>(List.of("sh", "-c", "ulimit -n 200 && exec \"$@\"", "sh"));
        command.addAll(OwnNamespace.java());
        command.add(WithoutDescriptors.class.getName());

        assertThat(Namespaces.run(command.toArray(new String[0]))).isEqualTo("answers before: false, without: true\n");
    }

    /** A process that may open nothing more. */
    static final class WithoutDescriptors {
        private WithoutDescriptors() {}

        public static void main(String[] arguments) {
            boolean before = FarKernel.answers(NOWHERE, 7472); // and all classes are loaded
            List<InputStream> open = new ArrayList<>();
            try {
                while (true) {
                    open.add(new FileInputStream("/dev/null"));
                }
            } catch (IOException none) {
                boolean without = FarKernel.answers(NOWHERE, 7472);
                System.out.print("answers before: " + before + ", without: " + without + "\n");
            } finally {
                Reference.reachabilityFence(open); // or a collection would close some
            }
        }
    }
}
