package io.dmodc.detector.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dmodc.detector.net.RingProcess.Report;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** A process that is stopped and goes on must blame nobody for its own pause. Real processes, sockets and signals. */
@EnabledOnOs(OS.LINUX)
class StoppedProcessTest {
    private static final String KEY_HEX = "000102030405060708090a0b0c0d0e0f";
    private static final RingKey KEY = RingKey.of(HexFormat.of().parseHex(KEY_HEX));
    private static final int ETA_MILLIS = 100;
    private static final int DELTA_MILLIS = 1_000;

    @Test
    void shouldAccuseNobodyAfterAllMembersWereStoppedTogether() throws IOException, InterruptedException {
        int members = 64;
        try (Child child = new Child(0, members)) {
            child.join(child.ports);
            child.awaitReceived(5L * members);

            for (int stop = 1; stop <= 3; stop++) {
                child.stopFor(DELTA_MILLIS * 3 / 2);
                child.awaitReceived(child.report().received() + 5L * members);
            }

            Report report = child.report();
            assertThat(report.suspicions()).isZero();
            assertThat(report.dead()).isZero();
            assertThat(report.lateWakeUps()).as("it did stop").isGreaterThanOrEqualTo(3);
        }
    }

    /** The others give the stopped one up; awake again it has their heartbeats of before in its socket, and refutes. */
    @Test
    void shouldAccuseNobodyAndRefuteAfterItWasStoppedAlone() throws IOException, InterruptedException {
        int others = 15;
        RingLoop loop = RingLoop.start("ring-test");
        List<RingEndpoint> ring = RingProcess.bind(loop, KEY, 0, others);
        try (Child child = new Child(others, 1)) {
            String ports = RingProcess.ports(ring) + " " + child.ports;
            child.join(ports);
            RingProcess.join(ring, 0, ports, RingProcess.rules(ETA_MILLIS, DELTA_MILLIS));
            child.awaitReceived(5);

            child.stop();
            soon().until(() -> Report.of(ring).dead() == others);
            child.goOn();

            soon().until(() -> Report.of(ring).dead() == 0);
            child.awaitReceived(child.report().received() + 5);
            assertThat(child.report().refutations()).isPositive();
            assertThat(child.report().suspicions()).isZero();
            assertThat(child.report().dead()).isZero();
            assertThat(Report.of(ring).suspicions()).isEqualTo(1);
        } finally {
            ring.forEach(RingEndpoint::close);
            loop.close();
        }
    }

    private static ConditionFactory soon() {
        return await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(20));
    }

    /** A {@link RingProcess} of its own. */
    private static final class Child implements AutoCloseable {
        final String ports;
        private final Process process;
        private final BufferedReader out;
        private final Writer in;

        Child(int firstSlot, int count) throws IOException {
            process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:+UseSerialGC",
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            RingProcess.class.getName(),
                            KEY_HEX,
                            Integer.toString(firstSlot),
                            Integer.toString(count),
                            Integer.toString(ETA_MILLIS),
                            Integer.toString(DELTA_MILLIS))
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            out = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
            in = process.outputWriter(StandardCharsets.UTF_8);
            ports = out.readLine();
        }

        void join(String allPorts) throws IOException {
            say(allPorts);
        }

        Report report() throws IOException {
            say("report");
            return Report.parse(out.readLine());
        }

        private void say(String line) throws IOException {
            in.write(line + "\n");
            in.flush();
        }

        void awaitReceived(long count) {
            soon().until(() -> report().received() >= count);
        }

        void stopFor(int millis) throws IOException, InterruptedException {
            stop();
            // Only a lower limit: a stop that lasts longer must be as harmless.
            process.waitFor(millis, TimeUnit.MILLISECONDS);
            goOn();
        }

        void stop() throws IOException, InterruptedException {
            signal("STOP");
        }

        void goOn() throws IOException, InterruptedException {
            signal("CONT");
        }

        private void signal(String name) throws IOException, InterruptedException {
            int code = new ProcessBuilder("sh", "-c", "kill -" + name + " " + process.pid())
                    .start()
                    .waitFor();
            assertThat(code).as("kill -%s", name).isZero();
        }

        @Override
        public void close() {
            process.destroyForcibly();
        }
    }
}
