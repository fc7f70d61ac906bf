package io.dmodc.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.Jazzer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * No bytes crash, hang or fill what reads them. First come well-formed inputs and those of earlier runs, which lead everywhere
 * in the code that any led ({@code resources/io/dmodc/fuzz}, a line each, in Base64); then some thousands that a seed makes of them.
 * {@code -Dfuzz=SECONDS} has a fuzzer go on from them that looks where they lead: it gives each reader, or those whose names match
 * {@code -Dfuzz.readers}, so long, in a process of its own, and leaves what then leads everywhere, as few as do, in
 * {@code target/end-to-end/fuzz}. What fails is printed in Base64.
 */
class DecoderFuzzTest {
    private static final int MADE = 20_000;
    private static final long SEED = 1;

    /** Of an input, in bytes: a frame of every kind and more fits. */
    static final int LONGEST = 4096;

    /** For one input of the fuzzer, in seconds. */
    private static final int TIMEOUT = 10;

    private static final int MEMORY_MB = 1500;

    /** It ends a process that hangs, on a machine however busy, and measures nothing. */
    private static final int PATIENCE_SECONDS = 900;

    /** Where it counts whether an input leads somewhere new: our code, and what the JDK reads certificates and keys with. */
    private static final List<String> LED_THROUGH = List.of(
            "io.dmodc.**",
            "sun.security.x509.**",
            "sun.security.util.Der*",
            "sun.security.pkcs.**",
            "sun.security.rsa.RSAPrivate*",
            "sun.security.rsa.RSAKey*",
            "sun.security.ec.ECPrivate*");

    @TempDir
    Path directory;

    /**
     * What reads bytes.
     *
     * @param seeds well-formed inputs
     */
    private record Reader(Class<?> target, Supplier<List<byte[]>> seeds) {
        String corpusName() {
            return target.getSimpleName() + ".corpus";
        }

        @Override
        public String toString() {
            return target.getSimpleName();
        }
    }

    /** In the order of {@link AnyFuzz}. */
    private static final List<Reader> READERS = List.of(
            new Reader(AgentFramesFuzz.class, AgentFramesFuzz::seeds),
            new Reader(ManagerFramesFuzz.class, ManagerFramesFuzz::seeds),
            new Reader(RecordFuzz.class, RecordFuzz::seeds),
            new Reader(IbnetFuzz.class, IbnetFuzz::seeds),
            new Reader(SettingsFuzz.class, SettingsFuzz::seeds),
            new Reader(DatagramFuzz.class, DatagramFuzz::seeds),
            new Reader(HelloFuzz.class, HelloFuzz::seeds),
            new Reader(StateImportFuzz.class, StateImportFuzz::seeds),
            new Reader(FormerFilesFuzz.class, FormerFilesFuzz::seeds),
            new Reader(OpenSmDumpFuzz.class, OpenSmDumpFuzz::seeds),
            new Reader(KeyFilesFuzz.class, KeyFilesFuzz::seeds),
            new Reader(WithdrawalFuzz.class, WithdrawalFuzz::seeds));

    private static Stream<Reader> readers() {
        return READERS.stream().filter(reader -> reader.toString().matches(System.getProperty("fuzz.readers", ".*")));
    }

    private static List<byte[]> knownToAny() {
        List<byte[]> known = new ArrayList<>();
        for (int reader = 0; reader < READERS.size(); reader++) {
            for (byte[] input : known(READERS.get(reader))) {
                known.add(AnyFuzz.of(reader, input));
            }
        }
        return known;
    }

    @Test
    @DisabledIfSystemProperty(named = "fuzz", matches = ".*")
    void shouldTakeOrRefuseWhatIsKnownAndWhatASeedMakesOfIt() throws IOException, InterruptedException {
        List<byte[]> known = knownToAny();
        Path inputs = inputs(known);
        System.out.printf("seed %d, %d inputs made of %d%n", SEED, MADE, known.size());

        String text = run(
                java(),
                0,
                List.of(KnownInputs.class.getName(), inputs.toString(), Long.toString(SEED), Integer.toString(MADE)));

        assertThat(text).as("it ran").contains("Done " + (known.size() + MADE) + " runs");
    }

    @ParameterizedTest
    @MethodSource("readers")
    @EnabledIfSystemProperty(named = "fuzz", matches = "\\d+")
    void shouldTakeOrRefuseWhateverComes(Reader reader) throws IOException, InterruptedException {
        long seconds = Long.getLong("fuzz", 0);
        Path inputs = inputs(known(reader));
        String text = run(fuzzer(reader), seconds, List.of("-max_total_time=" + seconds, inputs.toString()));
        assertThat(text).as("it ran").contains("Done ");
        text.lines().filter(line -> line.startsWith("Done ")).forEach(line -> System.out.println(reader + ": " + line));
        Path kept = Files.createDirectory(directory.resolve("kept"));
        run(fuzzer(reader), seconds, List.of("-merge=1", "-use_counters=0", kept.toString(), inputs.toString()));
        write(kept, Path.of("../../target/end-to-end/fuzz", reader.corpusName()));
    }

    /** Writes a file for each. */
    private Path inputs(List<byte[]> known) throws IOException {
        Path inputs = Files.createDirectory(directory.resolve("inputs"));
        int number = 0;
        for (byte[] input : known) {
            Files.write(inputs.resolve("known" + number++), input);
        }
        return inputs;
    }

    /** Returns what it printed. */
    private String run(List<String> program, long seconds, List<String> how) throws IOException, InterruptedException {
        Path output = directory.resolve("output");
        List<String> command = new ArrayList<>(program);
        command.addAll(how);
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        boolean ended = process.waitFor(seconds + PATIENCE_SECONDS, TimeUnit.SECONDS);
        process.destroyForcibly();
        String text = Files.readString(output, StandardCharsets.ISO_8859_1);
        assertThat(ended).as("ended in time; %s", text).isTrue();
        assertThat(process.exitValue()).as(text).isZero();
        return text;
    }

    /** How one of our classes is started beside this test; its name is to follow. */
    private List<String> java() {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx1g",
                // Instrumented code is short-lived: the second compiler does not pay.
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Djava.io.tmpdir=" + directory,
                "-cp",
                System.getProperty("java.class.path"),
                "-Dlogback.configurationFile=" + System.getProperty("logback.configurationFile"));
    }

    private List<String> fuzzer(Reader reader) {
        List<String> command = new ArrayList<>(java());
        command.addAll(List.of(
                Jazzer.class.getName(),
                "--target_class=" + reader.target().getName(),
                "--instrumentation_includes=" + String.join(":", LED_THROUGH),
                // Those for unsafe memory stumble over Netty's queues.
                "--custom_hook_includes=io.dmodc.**",
                "--reproducer_path=" + directory,
                "-artifact_prefix=" + directory + "/",
                "-timeout=" + TIMEOUT,
                "-rss_limit_mb=" + MEMORY_MB,
                "-max_len=" + LONGEST));
        return command;
    }

    private static List<byte[]> known(Reader reader) {
        List<byte[]> known = new ArrayList<>(reader.seeds().get());
        try (InputStream corpus = corpus(reader)) {
            if (corpus != null) {
                new String(corpus.readAllBytes(), StandardCharsets.US_ASCII)
                        .lines()
                        .map(Base64.getDecoder()::decode)
                        .forEach(known::add);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return known;
    }

    private static @Nullable InputStream corpus(Reader reader) {
        return DecoderFuzzTest.class.getResourceAsStream(reader.corpusName());
    }

    private static void write(Path inputs, Path corpus) throws IOException {
        List<byte[]> all = new ArrayList<>();
        try (Stream<Path> files = Files.list(inputs)) {
            for (Path file : files.sorted().toList()) {
                all.add(Files.readAllBytes(file));
            }
        }
        all.sort(Comparator.comparingInt(input -> input.length));
        Files.createDirectories(corpus.getParent());
        Files.write(
                corpus, all.stream().map(Base64.getEncoder()::encodeToString).toList());
    }
}
