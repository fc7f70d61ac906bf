package io.dmodc.agent.linux;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.agent.Main;
import io.dmodc.agent.plane.PlaneException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said of an {@code ip} that does not do what it is told. */
class IpProgramTest {
    @TempDir
    private Path dir;

    @Test
    void shouldNameTheCapabilityThatIsMissing() {
        IpProgram program = new IpProgram(List.of("sh", "-c", "echo \"RTNETLINK answers: $0\" >&2; exit 2"));

        assertThatThrownBy(() -> program.text("Operation not permitted"))
                .isInstanceOf(PlaneException.class)
                .hasMessageEndingWith(" failed: RTNETLINK answers: Operation not permitted: needs CAP_NET_ADMIN");
        assertThatThrownBy(() -> program.text("No such process")).hasMessageEndingWith(" answers: No such process");
    }

    @Test
    void shouldNotTakeAPartForTheWhole() {
        IpProgram program = new IpProgram(List.of("sh", "-c", "echo 10.0.0.1 dev swp1; kill -9 $$"));

        assertThatThrownBy(() -> program.text("ip")).hasMessageEndingWith(" failed: exit code 137");
    }

    /** Java looks in the PATH that its process began with. */
    @Test
    void shouldNameTheProgramThatIsMissing() throws Exception {
        Path file = Files.writeString(dir.resolve("a.yaml"), "{guid: 0x1, plane: {kind: linux}}");
        List<String> command = new ArrayList<>(OwnNamespace.java());
        command.addAll(List.of(Main.class.getName(), "flush", "--config", file.toString()));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("PATH", dir.toString());
        Process flush = builder.start();

        String said = new String(flush.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(flush.waitFor()).as(said).isEqualTo(2);
        assertThat(said.lines()).containsExactly("switch-agent flush: needs ip (iproute2) in PATH");
    }
}
