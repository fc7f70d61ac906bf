package io.dmodc.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.app.Main;
import io.dmodc.settings.process.HaltOnDefect;
import io.dmodc.southbound.SouthboundProtocol;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.epoll.EpollDomainDatagramChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.unix.DomainDatagramPacket;
import io.netty.channel.unix.DomainSocketAddress;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The daemon as a process that somebody else looks after: what it says to systemd, to its log, and when it must end. */
class ServiceProcessTest {
    private static final String DAEMON = """
            state-dir: %s
            southbound: {listen: '127.0.0.1:0', authentication: off}
            northbound: {listen: '127.0.0.1:0'}
            detector: {enabled: false}
            """;
    private static final Pattern ADDRESSES =
            Pattern.compile("agents at 127\\.0\\.0\\.1:(\\d+), administrators at (http://\\S+)");
    private static final int PIPE_BYTES = 1 << 16;

    @TempDir
    Path directory;

    private final List<Process> processes = new ArrayList<>();

    @AfterEach
    void stop() {
        processes.forEach(Process::destroyForcibly);
    }

    private Process start(Class<?> main, Map<String, String> environment, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(ClassArchives.java(main));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment().putAll(environment);
        Process process = builder.start();
        processes.add(process);
        return process;
    }

    private String config() throws IOException {
        Path file = directory.resolve("fabric-manager.yaml");
        return Files.writeString(file, DAEMON.formatted(directory.resolve("state")))
                .toString();
    }

    /** Reads byte by byte, so that nothing after that line is taken out of the pipe. */
    private static Matcher addresses(InputStream err) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int b = err.read(); b >= 0; b = err.read()) {
            line.append((char) b);
            Matcher found = ADDRESSES.matcher(line);
            if (b == '\n' && found.find()) {
                return found;
            }
            line.setLength(b == '\n' ? 0 : line.length());
        }
        throw new AssertionError("the daemon did not start: " + line);
    }

    @Test
    void shouldTellSystemdThatItIsUpThatItLivesAndThatItEnds() throws Exception {
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, EpollIoHandler.newFactory());
        List<String> heard = new CopyOnWriteArrayList<>();
        Path socket = directory.resolve("notify");
        Channel systemd = new Bootstrap()
                .group(group)
                .channel(EpollDomainDatagramChannel.class)
                .handler(new SimpleChannelInboundHandler<DomainDatagramPacket>() {
                    @Override
                    protected void channelRead0(ChannelHandlerContext context, DomainDatagramPacket packet) {
                        heard.add(packet.content().toString(StandardCharsets.UTF_8));
                    }
                })
                .bind(new DomainSocketAddress(socket.toString()))
                .syncUninterruptibly()
                .channel();
        try {
            Process daemon = start(
                    Main.class,
                    Map.of("NOTIFY_SOCKET", socket.toString(), "WATCHDOG_USEC", "2000000"),
                    "run",
                    "--config",
                    config());
            Matcher addresses = addresses(daemon.getErrorStream());

            RunningManager.await("the watchdog fed").untilAsserted(() -> {
                assertThat(heard).isNotEmpty();
                assertThat(heard.get(0)).isEqualTo("READY=1\nSTATUS=" + addresses.group());
                assertThat(heard.stream().filter("WATCHDOG=1"::equals)).hasSizeGreaterThan(2);
            });

            daemon.destroy();
            assertThat(daemon.waitFor(20, TimeUnit.SECONDS)).isTrue();
            RunningManager.await("the end told").until(() -> heard.contains("STOPPING=1"));
            assertThat(daemon.exitValue()).isEqualTo(143);
        } finally {
            systemd.close().syncUninterruptibly();
            group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
        }
    }

    /** One that is killed could not take it away, and the next one would leave its own beside it. */
    @Test
    void shouldKeepNothingAmongTemporaryFiles() throws Exception {
        Path temporary = Files.createDirectory(directory.resolve("temporary"));
        Process daemon = start(
                Main.class, Map.of("JAVA_TOOL_OPTIONS", "-Djava.io.tmpdir=" + temporary), "run", "--config", config());

        addresses(daemon.getErrorStream());

        assertThat(temporary).isEmptyDirectory();
    }

    /** The loop itself writes a line for each agent that comes: were it to wait for the pipe, nothing would be answered. */
    @Test
    void shouldAnswerWhileNobodyReadsItsLog() throws Exception {
        Process daemon = start(Main.class, Map.of(), "run", "--config", config());
        Matcher addresses = addresses(daemon.getErrorStream());
        InetSocketAddress south =
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(addresses.group(1)));
        HttpClient client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(Duration.ofSeconds(20))
                .build();
        HttpRequest health = HttpRequest.newBuilder(URI.create(addresses.group(2) + "/health"))
                .timeout(Duration.ofSeconds(20))
                .build();

        // At least 260 bytes of log each time that somebody with this name comes and goes: more than the pipe takes. Of
        // one that comes again and again not all is told.
        String name = "stranger".repeat(SouthboundProtocol.MAX_NAME_BYTES / 8);
        int comings = PIPE_BYTES / 175;
        for (int i = 0; i < comings; i++) {
            try (RawPeer peer = RawPeer.at(south)) {
                peer.says(RawPeer.frame(RawPeer.hello(0x10 + i, 4).setName(name).setIncarnation(i + 1)))
                        .isWelcomed();
            }
        }

        HttpResponse<String> answer = client.send(health, HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(daemon.getErrorStream().available()).as("the pipe is full").isGreaterThan(PIPE_BYTES / 2);
        assertThat(daemon.isAlive()).isTrue();

        // Process.destroy would close the pipe.
        assertThat(daemon.toHandle().destroy()).isTrue();
        String log = new String(daemon.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(daemon.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(log).as("what waited is written at the end").contains("incarnation " + comings);
    }

    /** A daemon in which the first event that people are told of ends in an Error. */
    static final class DefectiveDaemon {
        private DefectiveDaemon() {}

        public static void main(String[] arguments) throws Exception {
            HaltOnDefect.install("the switches keep the tables they have");
            RunningManager manager = RunningManager.open(Path.of(arguments[0]), java.util.Set.of(), Map.of());
            org.slf4j.LoggerFactory.getLogger(RunningManager.class).warn("the line before");
            manager.eventsEndIn(() -> new NoClassDefFoundError("io/dmodc/Lost"));
        }
    }

    @Test
    void shouldEndWithItsOwnExitCodeAndTheStackInTheLogForAnErrorOnTheLoop() throws Exception {
        Process daemon = start(DefectiveDaemon.class, Map.of(), directory.toString());
        Objects.requireNonNull(daemon.getOutputStream()).close();

        String log = new String(daemon.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(daemon.waitFor(20, TimeUnit.SECONDS)).isTrue();
        assertThat(daemon.exitValue()).as(log).isEqualTo(HaltOnDefect.EXIT_CODE).isEqualTo(70);
        assertThat(log)
                .containsSubsequence(
                        "the line before",
                        "ERROR defect on thread 'fabric-loop': the process ends with exit code 70; the switches keep",
                        "NoClassDefFoundError: io/dmodc/Lost",
                        "at io.dmodc.manager.loop.FabricLoop");
    }
}
