package io.dmodc.ctl.export;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Slurm's own controller reads the file, and says what it understood; skipped on machines without it. */
class SlurmctldTest {
    private static final int ASKED_MAX = 60;

    @TempDir
    Path directory;

    @Test
    void shouldBeUnderstoodBySlurm() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/sbin/slurmctld")), "Slurm's controller is not on this machine");
        assumeTrue("root".equals(System.getProperty("user.name")), "Slurm's controller wants its own user, here root");
        SlurmTopology topology = SlurmTopology.of(Fabrics.of(Fabrics.whole("3;4,2,2;1,2,2;1,1,1")));
        Files.writeString(directory.resolve("topology.conf"), Fabrics.text(topology::write));
        Files.writeString(directory.resolve("slurm.conf"), configuration());
        Files.createDirectory(directory.resolve("state"));

        List<String> shown;
        Process controller = start("/usr/sbin/slurmctld", "-D", "-i", "-c");
        try {
            shown = ask(controller);
        } finally {
            controller.destroy();
            if (!controller.waitFor(10, TimeUnit.SECONDS)) {
                controller.destroyForcibly().waitFor();
            }
        }

        assertThat(shown)
                .containsExactly(
                        "SwitchName=leaf0 Level=0 LinkSpeed=1 Nodes=node[0-3]",
                        "SwitchName=leaf1 Level=0 LinkSpeed=1 Nodes=node[4-7]",
                        "SwitchName=leaf2 Level=0 LinkSpeed=1 Nodes=node[8-11]",
                        "SwitchName=leaf3 Level=0 LinkSpeed=1 Nodes=node[12-15]",
                        "SwitchName=tier2-0 Level=1 LinkSpeed=1 Nodes=node[0-7] Switches=leaf[0-1]",
                        "SwitchName=tier2-1 Level=1 LinkSpeed=1 Nodes=node[8-15] Switches=leaf[2-3]",
                        "SwitchName=tier3-0 Level=2 LinkSpeed=1 Nodes=node[0-15] Switches=tier2-[0-1]");
    }

    private String configuration() throws IOException {
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        String host =
                Files.readString(Path.of("/proc/sys/kernel/hostname")).strip().split("\\.")[0];
        return """
                ClusterName=try
                SlurmctldHost=%s(127.0.0.1)
                SlurmctldPort=%d
                SlurmUser=root
                AuthType=auth/none
                CredType=cred/none
                StateSaveLocation=%s
                SlurmctldPidFile=%s
                TopologyPlugin=topology/tree
                SelectType=select/cons_tres
                ProctrackType=proctrack/pgid
                MpiDefault=none
                NodeName=node[0-15] NodeAddr=127.0.0.1 CPUs=1 State=CLOUD
                PartitionName=all Nodes=ALL Default=YES State=UP
                """.formatted(host, port, directory.resolve("state"), directory.resolve("pid"));
    }

    /** Each question waits for its answer or refusal; a controller that starts refuses for a moment. */
    private List<String> ask(Process controller) throws IOException, InterruptedException {
        List<String> said = new ArrayList<>();
        for (int asked = 0; asked < ASKED_MAX && controller.isAlive(); asked++) {
            File answer = directory.resolve("answer").toFile();
            Process scontrol = builder("/usr/bin/scontrol", "show", "topology")
                    .redirectOutput(answer)
                    .start();
            if (scontrol.waitFor(30, TimeUnit.SECONDS) && scontrol.exitValue() == 0) {
                return Files.readAllLines(answer.toPath()).stream()
                        .map(String::strip)
                        .toList();
            }
            scontrol.destroyForcibly();
            said = Files.readAllLines(answer.toPath());
            controller.waitFor(250, TimeUnit.MILLISECONDS);
        }
        throw new AssertionError(said + "\n" + Files.readString(directory.resolve("log")));
    }

    private ProcessBuilder builder(String... words) {
        ProcessBuilder builder = new ProcessBuilder(words).redirectErrorStream(true);
        builder.environment().put("SLURM_CONF", directory.resolve("slurm.conf").toString());
        return builder;
    }

    private Process start(String... words) throws IOException {
        return builder(words).redirectOutput(directory.resolve("log").toFile()).start();
    }
}
