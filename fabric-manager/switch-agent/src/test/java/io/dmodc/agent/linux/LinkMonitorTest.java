package io.dmodc.agent.linux;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LinkMonitorTest {
    /** Says what {@code ip} of iproute2 6.1 said when its socket had overflown, and goes on. */
    private static final List<String> OVERFLOWN = List.of(
            "sh",
            "-c",
            "echo '2: p1@q1: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500';"
                    + " echo 'netlink receive error No buffer space available (105)';"
                    + " echo '2: p1@q1: <NO-CARRIER,BROADCAST,MULTICAST,UP> mtu 1500'",
            "fake");

    @Test
    void shouldTellThatNewsWasLostAndGoOn() throws IOException, InterruptedException {
        BlockingQueue<String> told = new LinkedBlockingQueue<>();

        try (LinkMonitor monitor = LinkMonitor.start(
                new IpProgram(OVERFLOWN),
                link -> told.add(link.name() + (link.carrier() ? " carries" : " does not carry")),
                () -> told.add("lost"),
                () -> told.add("ended"))) {
            for (String next : List.of("p1 carries", "lost", "p1 does not carry", "ended")) {
                assertThat(told.poll(PlaneRig.PATIENCE_SECONDS, TimeUnit.SECONDS))
                        .isEqualTo(next);
            }
        }
    }
}
