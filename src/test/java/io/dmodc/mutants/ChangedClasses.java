package io.dmodc.mutants;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles one changed source beside the classes of the checkout, and runs programs with the result in front of these. */
final class ChangedClasses {
    /** Status of a process that took longer than {@value #PROCESS_SECONDS} s. */
    static final int ENDED_BY_FORCE = -1;

    private static final long PROCESS_SECONDS = 600;

    private final Path root;
    private final Path directory;
    private final String classPath;

    /**
     * @param root of a checkout that was built
     * @param directory for changed sources, their classes and what processes print
     */
    ChangedClasses(Path root, Path directory) throws IOException {
        this.root = root;
        this.directory = directory;
        String own = System.getProperty("java.class.path", "");
        try (Stream<Path> tree = Files.walk(root, 4)) {
            // Modules share no test jars: their tests are run from where they were compiled to.
            String tests = tree.filter(path -> path.endsWith("target/test-classes"))
                    .map(Path::toString)
                    .sorted()
                    .collect(Collectors.joining(File.pathSeparator));
            classPath = own + File.pathSeparator + tests;
        }
    }

    /** What a process printed, and how it ended. */
    record Ended(int status, List<String> lines) {}

    /** Runs a class of the tests as the checkout is. */
    Ended run(List<String> command) throws IOException, InterruptedException {
        return start(classPath, command);
    }

    /**
     * Runs a class of the tests with a change.
     *
     * @throws IllegalStateException when the change does not apply or does not compile
     */
    Ended run(LawMutant mutant, List<String> command) throws IOException, InterruptedException {
        return start(compiled(mutant) + File.pathSeparator + classPath, command);
    }

    private Path compiled(LawMutant mutant) throws IOException {
        Path classes = Files.createTempDirectory(directory, "classes");
        Path source = classes.resolve(mutant.file().getFileName());
        Files.writeString(source, mutant.mutated(root));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of(
                    "-d",
                    classes.toString(),
                    "-cp",
                    classPath,
                    "--release",
                    "17",
                    "-proc:none",
                    "-parameters",
                    "-nowarn");
            boolean done = compiler.getTask(said, files, null, options, null, files.getJavaFileObjects(source))
                    .call();
            if (!done) {
                throw new IllegalStateException("does not compile: " + mutant.text() + ": " + said);
            }
        }
        return classes;
    }

    private Ended start(String path, List<String> command) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home", ""), "bin", "java").toString(), "-Xmx1g"));
        line.addAll(List.of("-Dlogback.configurationFile=" + root.resolve("conf/logback.xml"), "-cp", path));
        line.addAll(command);
        Path out = Files.createTempFile(directory, "out", ".txt");
        ProcessBuilder builder = new ProcessBuilder(line)
                .directory(root.toFile())
                .redirectErrorStream(true)
                .redirectOutput(out.toFile());
        builder.environment().put("FM_EVENT_LEVEL", "OFF");
        Process process = builder.start();
        boolean ended = process.waitFor(PROCESS_SECONDS, TimeUnit.SECONDS);
        if (!ended) {
            process.destroyForcibly().waitFor();
        }
        return new Ended(ended ? process.exitValue() : ENDED_BY_FORCE, Files.readAllLines(out));
    }
}
