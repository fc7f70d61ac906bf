package io.dmodc.subnet;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.subnet.SwitchReader.Answer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class SwitchReaderTest {
    private record Asked(long guid, int lid) implements SwitchReader.Target {}

    @TempDir
    private Path directory = Path.of("");

    private final List<Answer<Asked, String>> answers = new ArrayList<>();

    private SwitchReader<String> reader(String body, String arguments, int parallel) throws IOException {
        Path script = Files.writeString(directory.resolve("route"), "#!/bin/sh\n" + body + "\n");
        Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
        OpenSmSettings usual = OpenSmSettings.defaults();
        return new SwitchReader<>(
                new OpenSmSettings(
                        usual.dump(),
                        usual.discovery(),
                        null,
                        null,
                        usual.interval(),
                        Duration.ofMinutes(1),
                        null,
                        false,
                        null,
                        usual.hupCommand(),
                        script + " " + arguments,
                        null,
                        null,
                        parallel,
                        usual.loadTimeout(),
                        usual.withdrawAfter(),
                        null,
                        null,
                        null),
                (printed, guid) -> new String(printed, StandardCharsets.US_ASCII));
    }

    private static List<Asked> switches(int count) {
        return LongStream.range(0, count)
                .mapToObj(each -> new Asked(100 + each, 1 + (int) each))
                .toList();
    }

    private static DirectedPaths noPaths() {
        return new DirectedPaths(List.of(), 0);
    }

    @Test
    void shouldTellAnswersInTheOrderOfTheQuestions() throws Exception {
        try (SwitchReader<String> reader = reader("[ $(($1 % 3)) = 0 ] && exit 1; echo $1", "{lid}", 5)) {
            assertThat(reader.read(switches(100), noPaths(), () -> false, answers::add))
                    .isEqualTo(100);
        }

        assertThat(answers).extracting(each -> each.of().lid()).isSorted().hasSize(100);
        for (Answer<Asked, String> each : answers) {
            if (each.of().lid() % 3 == 0) {
                assertThat(each.said()).isNull();
                assertThat(each.failure()).contains("exit code 1");
            } else {
                assertThat(each.said()).isEqualTo(each.of().lid() + "\n");
                assertThat(each.failure()).isEmpty();
            }
        }
    }

    @Test
    void shouldNotAskWhereNoPathLeads() throws Exception {
        try (SwitchReader<String> reader = reader("touch " + directory + "/asked", "{path}", 1)) {
            reader.read(switches(1), noPaths(), () -> false, answers::add);
        }

        assertThat(answers)
                .singleElement()
                .extracting(Answer::failure)
                .asString()
                .startsWith("no path from");
        assertThat(directory.resolve("asked")).doesNotExist();
    }

    /** {@code dump_fts} prints of a block that it cannot read what the one before had, and exits with 0. */
    @Test
    void shouldNotTakeABlockThatASwitchDidNotTellForWhatItHolds() throws Exception {
        String head = "Unicast lids [0x0-0x8d] of switch DR path slid 0; dlid 0; 0,1 guid 0x00000000000000";
        String body = "echo '" + head + "64 (a):'; echo 0x0001 001\n" + "echo '" + head + "65 (b):'; echo 0x0001 001\n"
                + "echo \"SubnGet(LFT) failed on switch 'b' DR path slid 0; dlid 0; 0,1 Node GUID 0x65 SMA LID 2; MAD status 0x6e"
                + " AM 0x1\" >&2\necho 0x0041 001\n" + "echo '" + head + "66 (c):'; echo 0x0001 001";
        try (SwitchReader<String> reader = reader(body, "", 1)) {
            reader.read(switches(3), noPaths(), () -> false, answers::add);
        }

        assertThat(answers)
                .extracting(Answer::failure)
                .containsExactly("", "does not tell all blocks of its table", "");
        assertThat(answers.get(1).said()).isNull();
    }

    /** {@code dump_fts} prints the head of a table that has no entries then. */
    @Test
    void shouldNotTakeATableWhoseEndIsNotKnownForAnEmptyOne() throws Exception {
        String empty = "Unicast lids [0x0-0x0] of switch DR path slid 0; dlid 0; 0,1 guid 0x0000000000000064 (a):";
        String body =
                "echo 'query_smp.c:196; umad (DR path slid 0; dlid 0; 0,1 Attr 0x12:0) bad status 110; Connection timed out' >&2\n"
                        + "echo '" + empty + "'; echo 0 valid lids dumped\n"
                        + "echo '" + empty.replace("64 (a)", "65 (b)").replace("0x0]", "0x2]") + "'; echo 0x0001 001";
        try (SwitchReader<String> reader = reader(body, "", 1)) {
            reader.read(switches(2), noPaths(), () -> false, answers::add);
        }

        assertThat(answers).extracting(Answer::failure).containsExactly("does not tell all blocks of its table", "");
    }

    /** One that lost its table has to be told it: the other one that does not answer is no reason to leave it alone. */
    @Test
    void shouldTakeAnEmptyTableForOneThoughTheEndOfAnotherIsNotKnown() throws Exception {
        String silent = "Unicast lids [0x0-0x0] of switch DR path slid 0; dlid 0; 0,1 guid 0x0000000000000064 (a):";
        String empty = "Unicast lids [0x0-0x0] of switch DR path slid 0; dlid 0; 0,1,2 guid 0x0000000000000065 (b):";
        String body =
                "echo 'query_smp.c:196; umad (DR path slid 0; dlid 0; 0,1 Attr 0x12:0) bad status 110; Connection timed out' >&2\n"
                        + "echo '" + silent + "'; echo 0 valid lids dumped\n"
                        + "echo '" + empty + "'; echo 0 valid lids dumped";
        try (SwitchReader<String> reader = reader(body, "", 1)) {
            reader.read(switches(2), noPaths(), () -> false, answers::add);
        }

        assertThat(answers).extracting(Answer::failure).containsExactly("does not tell all blocks of its table", "");
    }

    /** {@code ibroute} prints no more then, and exits with 0. */
    @Test
    void shouldNotTakeHalfATableForWhatASwitchHolds() throws Exception {
        String body = "echo 0x0001 001; echo 'SubnGet() failed; MAD status 0x6e AM 0x1' >&2";
        try (SwitchReader<String> reader = reader(body, "{lid}", 1)) {
            reader.read(switches(1), noPaths(), () -> false, answers::add);
        }

        assertThat(answers).singleElement().extracting(Answer::said).isNull();
    }

    /** Whoever does not answer must not keep back what is more urgent. */
    @Test
    @Timeout(60)
    void shouldNotWaitForAnswersThatNobodyWantsToKnowAnyMore() throws Exception {
        Path pid = directory.resolve("pid");
        try (SwitchReader<String> reader =
                reader("echo $$ >" + pid + ".new; mv " + pid + ".new " + pid + "; exec sleep 600", "{lid}", 1)) {
            int told = reader.read(switches(3), noPaths(), () -> Files.exists(pid), answers::add);

            assertThat(told).isZero();
            assertThat(answers).isEmpty();
        }
        ProcessHandle.of(Long.parseLong(Files.readString(pid).strip()))
                .ifPresent(sleeper -> sleeper.onExit().join());
    }
}
