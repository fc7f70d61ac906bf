package io.dmodc.e2e;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a JVM has to be told to start one of our programs: an agent what its launcher tells it, a manager what spares the start. Of both tests
 * start many, so they share an archive of the classes they load, made once a build: that halves what a start takes of a processor. Where
 * there is none, as with classes that are in no jar, they start without.
 */
public final class ClassArchives {
    private static final Class<?> MANAGER = io.dmodc.manager.app.Main.class;
    private static final Class<?> AGENT = io.dmodc.agent.Main.class;

    private static final Path DIRECTORY =
            Path.of("../../target/end-to-end/class-archives").toAbsolutePath().normalize();
    private static final Path LAUNCHERS =
            Path.of("../../fabric-manager/bin").toAbsolutePath().normalize();
    /** What agents of a Linux fabric load, with certificates; those of other planes load little else. */
    private static final Path AGENT_CLASSES = LAUNCHERS.resolve("lib/switch-agent.classes");

    /** A list of options in the agent's launcher. */
    private static final Pattern OPTIONS = Pattern.compile("(?:jvm\\+?|log_settings)=\\((.*)\\)");

    /** Several start at once, and none runs for long. */
    private static final List<String> BRIEF = List.of(
            "-Xmx128m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-XX:CompileThresholdScaling=3",
            "-XX:-UsePerfData",
            "-Dio.netty.jfr.enabled=false",
            "-Dlogback.configurationFile=" + System.getProperty("logback.configurationFile"));

    private static final Pattern SOUTHBOUND = Pattern.compile("agents at 127\\.0\\.0\\.1:(\\d+),");
    private static final Pattern ADMINISTRATORS = Pattern.compile("administrators at (http://[0-9.:]+)");
    private static final Pattern SESSION = Pattern.compile("(in session with the manager)");

    /** Only jars can be archived. */
    private static final List<String> JARS = Arrays.stream(
                    System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(place -> place.endsWith(".jar"))
            .toList();

    private static boolean made;

    private ClassArchives() {}

    /** Returns the command that starts this class; its arguments are to follow. */
    public static List<String> java(Class<?> main) throws IOException {
        boolean archived = (main == MANAGER || main == AGENT) && isInAJar(main);
        if (archived && !made) {
            make();
        }
        return archived
                ? command(main, JARS, "-XX:SharedArchiveFile=" + archive(main), "-Xlog:disable")
                : command(main, List.of(System.getProperty("java.class.path")));
    }

    private static boolean isInAJar(Class<?> main) {
        return JARS.contains(
                main.getProtectionDomain().getCodeSource().getLocation().getPath());
    }

    private static List<String> command(Class<?> main, List<String> classPath, String... more) throws IOException {
        List<String> command = new ArrayList<>(List.of(java()));
        command.addAll(main == AGENT ? launchersOptions() : BRIEF);
        command.addAll(List.of(more));
        command.addAll(List.of("-cp", String.join(File.pathSeparator, classPath), main.getName()));
        return command;
    }

    private static List<String> launchersOptions() throws IOException {
        List<String> options = new ArrayList<>(List.of("-XX:+UseSerialGC"));
        for (String line : Files.readAllLines(LAUNCHERS.resolve("switch-agent"))) {
            Matcher list = OPTIONS.matcher(line);
            if (list.matches()) {
                options.addAll(List.of(list.group(1).split(" ")));
            }
        }
        if (!options.contains("-XX:TieredStopAtLevel=1")) {
            throw new AssertionError("the agent's launcher lists other options than expected: " + options);
        }
        return options;
    }

    private static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    private static Path archive(Class<?> main) {
        return DIRECTORY.resolve(main.getName() + ".jsa");
    }

    /** Other processes that run tests wait for the one that makes them. */
    private static synchronized void make() throws IOException {
        Files.createDirectories(DIRECTORY);
        try (FileChannel channel = FileChannel.open(
                        DIRECTORY.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = channel.lock()) {
            if (lock.isValid() && !made && !Stream.of(MANAGER, AGENT).allMatch(ClassArchives::isFresh)) {
                dumpAgent();
                trainManager();
            }
            made = true;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A JVM refuses an archive of other jars by itself; what it then does without is only time. */
    private static boolean isFresh(Class<?> main) {
        try {
            if (!Files.exists(archive(main))) {
                return false;
            }
            for (String jar : JARS) {
                if (Files.getLastModifiedTime(Path.of(jar)).compareTo(Files.getLastModifiedTime(archive(main))) > 0) {
                    return false;
                }
            }
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void dumpAgent() throws IOException, InterruptedException {
        // By this collector, as only it writes objects, too.
        ProcessLog dump = ProcessLog.start(List.of(
                java(),
                "-XX:+UseG1GC",
                "-Xmx128m",
                "-Xshare:dump",
                "-XX:SharedClassListFile=" + AGENT_CLASSES,
                "-XX:SharedArchiveFile=" + fresh(AGENT),
                "-cp",
                String.join(File.pathSeparator, JARS)));
        keep(dump, AGENT);
    }

    /** Ends in order when an agent is in session with it, and administrators have asked: what it has loaded by then is archived. */
    private static void trainManager() throws IOException, InterruptedException {
        Path site = Files.createTempDirectory(DIRECTORY, "site");
        Path settings = Files.writeString(site.resolve("fabric-manager.yaml"), """
                state-dir: %s
                southbound: {listen: '127.0.0.1:0', authentication: off}
                northbound: {listen: '127.0.0.1:0'}
                detector: {listen: '127.0.0.1:0', key-file: %s}
                """.formatted(
                        site.resolve("state"), RunningManager.keyFile(site)));
        try (ProcessLog manager = started(MANAGER, "-XX:ArchiveClassesAtExit=" + fresh(MANAGER), settings)) {
            int port = Integer.parseInt(awaited(manager, SOUTHBOUND));
            Path file =
                    Files.writeString(site.resolve("agent.yaml"), """
                    guid: 0x10
                    manager: 127.0.0.1:%d
                    authentication: off
                    detector: {listen: '127.0.0.1:0', key-file: %s}
                    plane: {port-count: 2}
                    """.formatted(port, site.resolve("detector.key")));
            try (ProcessLog agent = started(AGENT, "-XX:SharedArchiveFile=" + archive(AGENT), file)) {
                awaited(agent, SESSION);
                ask(awaited(manager, ADMINISTRATORS));
            }
            manager.handle().destroy();
            keep(manager, MANAGER);
        }
    }

    private static void ask(String administrators) throws IOException, InterruptedException {
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        for (String path : List.of("api/v1/status", "api/v1/nodes", "api/v1/lft/0x10")) {
            HttpRequest request = HttpRequest.newBuilder(URI.create(administrators + "/" + path))
                    .build();
            client.send(request, HttpResponse.BodyHandlers.discarding());
        }
    }

    private static ProcessLog started(Class<?> main, String option, Path settings) throws IOException {
        List<String> command = command(main, JARS, option);
        command.addAll(List.of("run", "--config", settings.toString()));
        return ProcessLog.start(command);
    }

    private static String awaited(ProcessLog log, Pattern pattern) {
        RunningManager.await(pattern + " in a log").until(() -> {
            if (!log.alive()) {
                throw new AssertionError(log.text());
            }
            return !log.found(pattern).isEmpty();
        });
        return log.found(pattern).get(0);
    }

    /** Waits for its end; where it wrote none there is none. */
    private static void keep(ProcessLog writer, Class<?> main) throws IOException, InterruptedException {
        writer.exitCode();
        if (Files.exists(fresh(main))) {
            Files.move(fresh(main), archive(main), StandardCopyOption.ATOMIC_MOVE);
        }
    }

    private static Path fresh(Class<?> main) {
        return Path.of(archive(main) + ".new");
    }
}
