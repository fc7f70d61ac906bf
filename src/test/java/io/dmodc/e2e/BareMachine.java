package io.dmodc.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A made-up machine that has our launchers, a shell and nothing else: no Java, no Maven, no OpenSM, no Python. Its {@code apt-get}
 * writes down what it was asked and puts small scripts where the packages would put programs; those print their arguments.
 */
final class BareMachine {
    private static final int TIMEOUT_SECONDS = 60;
    private static final List<String> SHELL_TOOLS = List.of(
            "bash",
            "cat",
            "chmod",
            "cksum",
            "env",
            "find",
            "flock",
            "grep",
            "ls",
            "mkdir",
            "mktemp",
            "mv",
            "readlink",
            "rm",
            "stat",
            "sync",
            "tail");

    /** Arguments, one line each call, then the effects of an installation below {@code $FM_SYSROOT}. */
    private static final String APT_GET = """
            echo "$*" >>"$FM_SYSROOT/asked"
            program() {
              mkdir -p "${1%/*}"
              printf '#!%s\\necho "${0##*/}: $*"\\n' "$BASH" >"$1"
              chmod +x "$1"
            }
            for word in "$@"; do
              case $word in
                openjdk-17-*)
                  home=$FM_SYSROOT/usr/lib/jvm/java-17
                  program "$home/bin/java"
                  [[ $word != *-jdk-* ]] || program "$home/bin/javac"
                  echo 'JAVA_VERSION="17.0.1"' >"$home/release"
                  ;;
                maven) program "$FM_SYSROOT/path/mvn" ;;
                python3) program "$FM_SYSROOT/path/python3" ;;
                opensm) program "$FM_SYSROOT/usr/sbin/opensm" ;;
                ibsim-utils) program "$FM_SYSROOT/usr/bin/ibsim" ;;
              esac
            done
            """;

    private final Path root;
    private final Path path;

    /** How a launcher ended and what it said on both streams, line by line. */
    record Ended(int status, List<String> lines) {}

    private BareMachine(Path root) {
        this.root = root;
        path = root.resolve("path");
    }

    /** A machine below an empty directory, whose user has this number; 0 is root. */
    static BareMachine at(Path root, int user) throws IOException {
        BareMachine machine = new BareMachine(root);
        Files.createDirectories(machine.path);
        for (String tool : SHELL_TOOLS) {
            machine.script(tool, "exec " + real(tool) + " \"$@\"\n");
        }
        machine.script("id", "echo " + user + "\n");
        machine.script("apt-cache", "echo known\n");
        machine.script("apt-get", APT_GET);
        return machine;
    }

    private static Path real(String tool) {
        return Stream.of("/usr/bin", "/bin")
                .map(directory -> Path.of(directory, tool))
                .filter(Files::isExecutable)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("this machine has no " + tool));
    }

    private void script(String name, String body) throws IOException {
        Path file = path.resolve(name);
        Files.writeString(file, "#!" + real("bash") + "\n" + body);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    /** The launchers beside a jar of that name: an installation. */
    Path installed(String artifact) throws IOException {
        Path home = Files.createDirectories(root.resolve("opt"));
        Files.createDirectories(home.resolve("lib"));
        Files.createFile(home.resolve("lib").resolve(artifact + "-0.0.1.jar"));
        return copyLaunchers(home.resolve("bin"));
    }

    /** The launchers in what looks like a checkout. */
    Path checkout() throws IOException {
        Path dist = Files.createDirectories(root.resolve("src/fabric-manager/dist"));
        Files.createFile(root.resolve("src/pom.xml"));
        Files.createFile(dist.resolve("pom.xml"));
        return copyLaunchers(root.resolve("src/fabric-manager/bin"));
    }

    private static Path copyLaunchers(Path to) throws IOException {
        Path from = Path.of("../../fabric-manager/bin");
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
            }
        }
        return to;
    }

    void addInfiniBand() throws IOException {
        Files.createDirectories(root.resolve("sys/class/infiniband/mlx5_0"));
    }

    /** Packages that are there before a launcher is started; counted among those installed. */
    void installNow(String packages) throws Exception {
        List<String> command =
                new ArrayList<>(List.of(path.resolve("apt-get").toString(), "install", "--no-install-recommends"));
        command.addAll(List.of(packages.split(" ")));
        Ended ended = run(command, Map.of(), "");
        if (ended.status() != 0) {
            throw new IllegalStateException("apt-get of this machine: " + ended);
        }
    }

    /** Puts another release in the place of the Java that was installed: it writes its name into each archive of classes it is told to make or to take. */
    void replaceJava(String release) throws IOException {
        Path home = root.resolve("usr/lib/jvm/java-17");
        Files.writeString(
                home.resolve("bin/java"),
                "#!" + real("bash") + "\nfor each in \"$@\"; do [[ $each != -XX:SharedArchiveFile=* ]] || echo "
                        + release + " >\"${each#*=}\"; done\n");
        Files.createDirectories(home.resolve("lib/server"));
        Files.writeString(home.resolve("lib/server/libjvm.so"), release);
    }

    /** Runs without a terminal. */
    Ended run(Map<String, String> environment, Path program, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(List.of(arguments));
        return run(command, environment, "");
    }

    /** Runs on a terminal of its own, at which somebody types this line. */
    Ended runOnTerminal(String typed, Path program, String... arguments) throws Exception {
        String command = program + " " + String.join(" ", arguments);
        return run(List.of(real("script").toString(), "-qefc", command, "/dev/null"), Map.of(), typed + "\n");
    }

    private Ended run(List<String> command, Map<String, String> more, String input) throws Exception {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        Path out = Files.createTempFile(root, "out", ".txt");
        builder.redirectOutput(out.toFile());
        builder.environment().clear();
        builder.environment().put("PATH", path.toString());
        builder.environment().put("SHELL", path.resolve("bash").toString());
        builder.environment().put("FM_SYSROOT", root.toString());
        builder.environment().putAll(more);
        Process process = builder.start();
        process.getOutputStream().write(input.getBytes(StandardCharsets.UTF_8));
        process.getOutputStream().close();
        if (!process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
            throw new IllegalStateException("still running: " + Files.readString(out));
        }
        return new Ended(process.exitValue(), Files.readAllLines(out));
    }

    /** What {@code apt-get} was asked to install: the packages of each call. */
    List<String> installed() {
        Path asked = root.resolve("asked");
        if (!Files.exists(asked)) {
            return List.of();
        }
        try {
            return Files.readAllLines(asked).stream()
                    .filter(line -> line.contains("install "))
                    .map(line -> line.substring(line.indexOf("-recommends ") + "-recommends ".length()))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
