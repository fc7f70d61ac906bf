package io.dmodc.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.agent.plane.MemoryPlane;
import io.dmodc.settings.process.HaltOnDefect;
import io.dmodc.southbound.RunEncoder;
import io.dmodc.southbound.TableCodec;
import io.dmodc.southbound.TableDigest;
import io.dmodc.southbound.TableVersion;
import io.dmodc.southbound.Transport;
import io.dmodc.southbound.proto.ManagerFrame;
import io.netty.channel.EventLoopGroup;
import java.io.File;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** An error on an event loop ends a real process, and not only the thread it came up on. */
class FatalErrorTest {
    @TempDir
    Path dir;

    /** An agent whose plane meets an error at its first table. */
    static final class Fated {
        private Fated() {}

        public static void main(String[] arguments) throws Exception {
            HaltOnDefect.install("the switch forwards on by the table it has");
            FailingPlane plane = new FailingPlane(new MemoryPlane(0x10, "leaf0", 4));
            plane.next = new LinkageError("no such symbol");
            InetSocketAddress manager =
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0]));
            Agent.start(
                    AgentConfig.of(manager, null, 1, 0), plane, Transport.best().group(1, "agent"));
            new CountDownLatch(1).await();
        }
    }

    @Test
    @Timeout(90)
    void shouldEndTheProcessWithItsOwnExitCode() throws Exception {
        EventLoopGroup group = Transport.best().group(1, "test");
        try (TinyManager manager = new TinyManager(group)) {
            Path log = dir.resolve("log");
            Process process = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-XX:+UseSerialGC",
                            "-XX:TieredStopAtLevel=1",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Fated.class.getName(),
                            Integer.toString(manager.address().getPort()))
                    .redirectErrorStream(true)
                    .redirectOutput(new File(log.toString()))
                    .start();
            try {
                TinyManager.Peer peer = manager.accept();
                peer.welcome(2000);

                peer.send(ManagerFrame.newBuilder()
                        .setTablePush(TableCodec.push(
                                new TableVersion(1, 5),
                                RunEncoder.complete(0, TableDigest.of(new byte[0]))
                                        .table()))
                        .build());

                assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
                assertThat(process.exitValue()).isEqualTo(HaltOnDefect.EXIT_CODE);
                assertThat(Files.readString(log))
                        .contains("the switch forwards on by the table it has", "no such symbol");
            } finally {
                process.destroyForcibly();
            }
        } finally {
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        }
    }
}
