package io.dmodc.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.app.Main;
import io.dmodc.southbound.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** A daemon and three agents as an operator runs them: a process each, told by a file each, watched by their logs. */
final class OperatorsSite implements AutoCloseable {
    private static final String DAEMON = """
            state-dir: %s
            southbound: {listen: '127.0.0.1:0', keys: %s}
            northbound: {listen: '127.0.0.1:0'}
            detector: {heartbeat: 100ms, suspicion: 10s, listen: '127.0.0.1:0', key-file: %s}
            discovery: {quiet: 500ms, timeout: 60s}
            """;

    /** Two leaves with a host each on port 1, a spine above them. */
    private static final List<String> SWITCHES = List.of(
            "{name: leaf0, guid: 0x%s, keys: %s, plane: {port-count: 2, ports: ["
                    + "{number: 1, host: 0xa0}, {number: 2, switch: 0x20, port: 1}]}}",
            "{name: leaf1, guid: 0x%s, keys: %s, plane: {port-count: 2, ports: ["
                    + "{number: 1, host: 0xa1}, {number: 2, switch: 0x20, port: 2}]}}",
            "{name: spine, guid: 0x%s, keys: %s, plane: {port-count: 2, ports: ["
                    + "{number: 1, switch: 0x10, port: 2}, {number: 2, switch: 0x11, port: 2}]}}");

    static final List<String> GUIDS = List.of("10", "11", "20");

    /** Where agents connect. */
    static final Pattern AGENT_ADDRESS = Pattern.compile("agents at 127\\.0\\.0\\.1:(\\d+),");

    static final Pattern LEADER = Pattern.compile("in session with the manager of leader epoch (\\d+)");

    private final Path directory;
    private final List<ProcessLog> processes = new ArrayList<>();

    /** @param directory empty; keys for all of them are made there */
    OperatorsSite(Path directory) throws IOException {
        this.directory = directory;
        SiteKeys.make(directory, List.of("0x10", "0x11", "0x20"));
    }

    Path settings() {
        return directory.resolve("fabric-manager.yaml");
    }

    Path stateDirectory() {
        return directory.resolve("state");
    }

    /** @param whose manager, or a whole GUID */
    Path key(String whose, String file) {
        return directory.resolve("keys").resolve(whose).resolve(file);
    }

    private String keys(String whose) {
        TlsFiles files = TlsFiles.in(directory.resolve("keys").resolve(whose));
        return "{certificate: %s, private-key: %s, authority: %s}"
                .formatted(files.certificate(), files.privateKey(), files.authority());
    }

    ProcessLog daemon(int port) throws IOException {
        Files.writeString(
                settings(), DAEMON.formatted(stateDirectory(), keys("manager"), key("manager", "detector.key")));
        String[] arguments = {"run", "--config", settings().toString(), "--set", "southbound.listen=127.0.0.1:" + port};
        return started(ProcessLog.start(Main.class, arguments));
    }

    ProcessLog agent(int i, int port) throws IOException {
        String keys = "0x00000000000000" + GUIDS.get(i);
        Path file = Files.writeString(
                directory.resolve("switch" + i + ".yaml"), SWITCHES.get(i).formatted(GUIDS.get(i), keys(keys)));
        String[] arguments = {
            "run",
            "--config",
            file.toString(),
            "--set",
            "manager=127.0.0.1:" + port,
            "--set",
            "detector.key-file=" + key(keys, "detector.key")
        };
        return started(ProcessLog.start(io.dmodc.agent.Main.class, arguments));
    }

    private ProcessLog started(ProcessLog log) {
        processes.add(log);
        return log;
    }

    static String await(ProcessLog log, Pattern pattern) {
        return await(log, pattern, 0);
    }

    /** Returns what the log says after so many that it said before. */
    static String await(ProcessLog log, Pattern pattern, int before) {
        RunningManager.await(pattern + " in a log")
                .untilAsserted(
                        () -> assertThat(log.found(pattern)).as(log::text).hasSizeGreaterThan(before));
        return log.found(pattern).get(before);
    }

    @Override
    public void close() {
        processes.forEach(ProcessLog::close);
    }
}
