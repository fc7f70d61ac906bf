package io.dmodc.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.agent.TinyManager.Peer;
import io.dmodc.agent.plane.PanelText;
import io.dmodc.southbound.Transport;
import io.netty.channel.EventLoopGroup;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code switch-agent run} as processes of their own, which share nothing but a file of cables. */
class RealProcessTest {
    /** What the Java launcher answers to SIGTERM: 128 + 15. */
    private static final int EXIT_AFTER_SIGTERM = 143;

    @TempDir
    Path dir;

    private final EventLoopGroup group = Transport.best().group(1, "test");
    private final TinyManager manager = new TinyManager(group);
    private final List<Process> processes = new ArrayList<>();

    @AfterEach
    void stop() {
        processes.forEach(Process::destroyForcibly);
        manager.close();
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    private Process start(Path topology, String guid) throws Exception {
        Path settings = Files.writeString(
                dir.resolve(guid + ".yaml"), """
                manager: 127.0.0.1:%d
                guid: %s
                authentication: off
                detector: {listen: '127.0.0.1:0', authentication: off}
                plane: {topology: '%s'}
                """.formatted(manager.address().getPort(), guid, topology));
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Main.class.getName(),
                        "run",
                        "--config",
                        settings.toString())
                .redirectErrorStream(true)
                .redirectOutput(new File(dir.toFile(), guid + ".log"))
                .start();
        processes.add(process);
        return process;
    }

    private Path write(String text) throws Exception {
        Path fresh = Files.writeString(dir.resolve("fresh"), text);
        return Files.move(
                fresh, dir.resolve("fabric.txt"), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    @Test
    @Timeout(90)
    void shouldNoticeACutCableInTheSharedFileAndEndInOrderOnSigterm() throws Exception {
        Path topology = write(PanelText.WHOLE);
        Process leaf = start(topology, "0x10");
        Peer leafPeer = manager.accept();
        assertThat(leafPeer.welcome(2000).getHello().getName()).isEqualTo("leaf");
        Process spine = start(topology, "0x20");
        Peer spinePeer = manager.accept();
        assertThat(spinePeer.welcome(2000).getHello().getPortCount()).isEqualTo(5);

        write(PanelText.WHOLE.replace(PanelText.LEAF_TO_SPINE_1, ""));

        assertThat(CableListTest.onlyPort(leafPeer)).isEqualTo("1 down, 0x20 port 1");
        assertThat(CableListTest.onlyPort(spinePeer)).isEqualTo("1 down, 0x10 port 1");
        leaf.destroy();
        spine.destroy();
        leafPeer.assertClosedInOrder();
        spinePeer.assertClosedInOrder();
        assertThat(leaf.waitFor()).isEqualTo(EXIT_AFTER_SIGTERM);
        assertThat(spine.waitFor()).isEqualTo(EXIT_AFTER_SIGTERM);
    }

    @Test
    @Timeout(60)
    void shouldEndWithTwoAndOneLineWhenTheGuidIsNotInTheFile() throws Exception {
        Process stranger = start(write(PanelText.WHOLE), "0x30");

        assertThat(stranger.waitFor()).isEqualTo(2);

        assertThat(Files.readString(dir.resolve("0x30.log")))
                .isEqualTo("switch-agent: " + dir.resolve("fabric.txt")
                        + ": no switch 0x0000000000000030; expected a block for the guid of " + dir.resolve("0x30.yaml")
                        + "\n");
    }
}
