package io.dmodc.agent.exec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.agent.plane.Destination;
import io.dmodc.agent.plane.Destinations;
import io.dmodc.agent.plane.InstalledTable;
import io.dmodc.agent.plane.Neighbour.HostPort;
import io.dmodc.agent.plane.Neighbour.SwitchPort;
import io.dmodc.agent.plane.TableChange;
import io.dmodc.southbound.Alternatives;
import io.dmodc.southbound.SouthboundProtocol;
import io.dmodc.southbound.TableVersion;
import io.dmodc.topology.HostAddresses;
import io.dmodc.topology.LinkRate;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is said between agent and program, and what may not be. */
class ProgramLinesTest {
    private final ProgramLines lines = new ProgramLines(0x10, 36);

    private static String text(byte[] line) {
        return new String(line, StandardCharsets.UTF_8);
    }

    private ProgramWord word(String line) throws GarbageException {
        return lines.word(line.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void shouldSayWhatIsAsked() {
        assertThat(text(lines.hello("leaf\"0\n")))
                .isEqualTo("{\"do\":\"hello\",\"protocol\":1,\"guid\":\"0x0000000000000010\",\"name\":\"leaf\\\"0\\n\","
                        + "\"ports\":36}\n");
        assertThat(text(lines.read(7))).isEqualTo("{\"do\":\"read\",\"id\":7}\n");
        assertThat(text(lines.ports(8))).isEqualTo("{\"do\":\"ports\",\"id\":8}\n");
        assertThat(text(lines.commit(9))).isEqualTo("{\"do\":\"commit\",\"id\":9}\n");
    }

    @Test
    void shouldSayEachChangeWithWhatIsKnownOfItsDestination() {
        BitSet changed = new BitSet();
        changed.set(0, 4);
        Destinations destinations = Destinations.of(
                2,
                index -> index == 0
                        ? new Destination(
                                0xa0, "node0", HostAddresses.parse(12, "10.0.0.7", "fd00::7", "02:00:00:00:00:07"))
                        : new Destination(0xa1, "", HostAddresses.NONE));
        TableChange change = new TableChange(
                new InstalledTable(new TableVersion(1, 1), new byte[] {2, (byte) 255, 1, 3}),
                new InstalledTable(new TableVersion(3, 17), new byte[] {(byte) 254, 1, (byte) 255}),
                changed,
                destinations,
                new Alternatives.Builder(0).run(1, new byte[] {2, (byte) 254}).build());

        assertThat(text(lines.install(5, change)))
                .isEqualTo("{\"do\":\"install\",\"id\":5,\"leader\":3,\"epoch\":17,\"entries\":3,\"changes\":4}\n");
        assertThat(text(lines.change(change, 0)))
                .isEqualTo(
                        "{\"index\":0,\"port\":254,\"was\":2,\"alternatives\":[2,254],\"guid\":\"0x00000000000000a0\",\"name\":\"node0\","
                                + "\"lid\":12,\"ipv4\":\"10.0.0.7\",\"ipv6\":\"fd00::7\",\"mac\":\"02:00:00:00:00:07\"}\n");
        assertThat(text(lines.change(change, 1)))
                .isEqualTo("{\"index\":1,\"port\":1,\"was\":null,\"guid\":\"0x00000000000000a1\",\"name\":\"\"}\n");
        assertThat(text(lines.change(change, 2))).isEqualTo("{\"index\":2,\"port\":null,\"was\":1}\n");
        assertThat(text(lines.change(change, 3)))
                .as("behind the end")
                .isEqualTo("{\"index\":3,\"port\":null,\"was\":3}\n");
    }

    @Test
    void shouldUnderstandWhatAProgramMaySay() throws Exception {
        assertThat(word("{\"did\":\"hello\",\"more\":[{}]}")).isEqualTo(new ProgramWord.Hello(1 << 19));
        assertThat(word("{\"did\":\"hello\",\"entries\":16384}")).isEqualTo(new ProgramWord.Hello(16384));
        assertThat(word("{\"index\":0,\"port\":null}")).isEqualTo(new ProgramWord.Entry(0, 255));
        assertThat(word(" {\"index\":524287,\"port\":36} ")).isEqualTo(new ProgramWord.Entry(524287, 36));
        assertThat(word("{\"did\":\"read\",\"id\":1,\"leader\":3,\"epoch\":17,\"entries\":9}"))
                .isEqualTo(new ProgramWord.Read(1, new TableVersion(3, 17), 9));
        assertThat(word("{\"did\":\"read\",\"id\":1,\"leader\":3}"))
                .isEqualTo(new ProgramWord.Read(1, TableVersion.NONE, -1));
        assertThat(word("{\"did\":\"install\",\"id\":2}")).isEqualTo(new ProgramWord.Installed(2));
        assertThat(word("{\"progress\":600,\"of\":1000,\"id\":2}")).isEqualTo(new ProgramWord.Progress(2, 600, 1000));
        assertThat(word("{\"failed\":2,\"why\":\"no\\nroom\"}")).isEqualTo(new ProgramWord.Failed(2, "no?room"));
        assertThat(word("{\"did\":\"ports\",\"id\":3}")).isEqualTo(new ProgramWord.Ports(3));
        assertThat(word("{\"lost\":true}")).isEqualTo(new ProgramWord.Lost());
        assertThat(word("{\"port\":3,\"up\":true,\"switch\":\"0x20\",\"far\":7}"))
                .isEqualTo(new ProgramWord.Port(3, true, new SwitchPort(0x20, 7), null));
        assertThat(word("{\"port\":3,\"up\":true,\"switch\":\"0x20\",\"far\":7,\"megabits\":100000,\"lanes\":4}"))
                .isEqualTo(new ProgramWord.Port(3, true, new SwitchPort(0x20, 7), new LinkRate(100_000, 4)));
        assertThat(word("{\"port\":3,\"up\":true,\"megabits\":0}"))
                .isEqualTo(new ProgramWord.Port(3, true, null, null));
        assertThat(word("{\"port\":3,\"up\":false}")).isEqualTo(new ProgramWord.Port(3, false, null, null));
        assertThat(word("{\"port\":5,\"up\":true,\"host\":\"0xa0\",\"name\":\"n\",\"mac\":\"02:00:00:00:00:07\"}"))
                .isEqualTo(new ProgramWord.Port(
                        5,
                        true,
                        new HostPort(0xa0, 0xa0, 1, "n", new HostAddresses(0, 0, 0, 0, 0x020000000007L)),
                        null));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
        foo bar                                          | it said 'foo bar', which is no JSON object
        []                                               | it said '[]', which is no JSON object
        ``                                               | it said '', which is no JSON object
        {"did":"hello"} {}                               | it said '{"did":"hello"} {}', which is no JSON object
        {"did":"dance"}                                  | it said '{"did":"dance"}': did is none of hello, ports, read, install
        {"did":7}                                        | it said '{"did":7}': did is no text
        {"what":1}                                       | it said '{"what":1}': none of did, index, progress, failed, port, lost is in it
        {"port":3,"up":true,"megabits":-1}               | it said '{"port":3,"up":true,"megabits":-1}': megabits is not a number in 0..100000000
        {"port":3,"up":true,"megabits":9,"lanes":256}    | it said '{"port":3,"up":true,"megabits":9,"lanes":256}': lanes is not a number in 0..255
        {"index":-1,"port":1}                            | it said '{"index":-1,"port":1}': index is not a number in 0..524287
        {"index":524288,"port":1}                        | it said '{"index":524288,"port":1}': index is not a number in 0..524287
        {"index":1.5,"port":1}                           | it said '{"index":1.5,"port":1}': index is not a number in 0..524287
        {"index":1e99999999,"port":1}                    | it said '{"index":1e99999999,"port":1}': index is not a number in 0..524287
        {"index":1,"port":37}                            | it said '{"index":1,"port":37}': port is not a number in 0..36
        {"index":1,"port":-1}                            | it said '{"index":1,"port":-1}': port is not a number in 0..36
        {"did":"read","id":"1"}                          | it said '{"did":"read","id":"1"}': id is not a number in 0..9223372036854775807
        {"did":"read","id":1,"leader":-1,"epoch":0}      | it said '{"did":"read","id":1,"leader":-1,"epoch":0}': leader is not a number in 0..2147483647
        {"progress":3,"of":2,"id":1}                     | it said '{"progress":3,"of":2,"id":1}': progress is not a number in 0..2
        {"progress":0,"of":0,"id":1}                     | it said '{"progress":0,"of":0,"id":1}': of is not a number in 1..2147483647
        {"failed":1}                                     | it said '{"failed":1}': why is no text
        {"lost":1}                                       | it said '{"lost":1}': lost is neither true nor false
        {"port":37,"up":true}                            | it said '{"port":37,"up":true}': port is not a number in 1..36
        {"port":1}                                       | it said '{"port":1}': up is neither true nor false
        {"port":1,"up":true,"switch":"0x20"}             | it said '{"port":1,"up":true,"switch":"0x20"}': far is not a number in 1..254
        {"port":1,"up":true,"switch":"0x10","far":1}     | it said '{"port":1,"up":true,"switch":"0x10","far":1}': the port leads to itself
        {"port":1,"up":true,"host":"0x0"}                | it said '{"port":1,"up":true,"host":"0x0"}': host is no GUID, as 0x…
        {"port":1,"up":true,"host":"0xa","lid":49152}    | it said '{"port":1,"up":true,"host":"0xa","lid":49152}': lid is not a number in 1..49151
        """)
    void shouldSayInOneLineWhatIsWrong(String line, String message) {
        assertThatThrownBy(() -> word(line))
                .isInstanceOf(GarbageException.class)
                .hasMessage(message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"port\":1,\"up\":true,\"host\":\"0xa\",\"ipv4\":\"10.0.0\"}",
                "{\"port\":1,\"up\":true,\"host\":\"0xa\",\"name\":\"0123456789012345678901234567890123456789012345678901234567890123456789\"}"
            })
    void shouldTakeNoAddressesAndNamesThatTheManagerWouldNot(String line) {
        assertThatThrownBy(() -> word(line))
                .isInstanceOf(GarbageException.class)
                .message()
                .doesNotContain("\n")
                .hasSizeLessThan(400);
    }

    @Test
    void shouldSurviveWhatIsNoTextAndWhatIsDeep() {
        assertThatThrownBy(() -> lines.word(new byte[] {'{', (byte) 0xff, '}'})).isInstanceOf(GarbageException.class);
        assertThatThrownBy(() -> lines.word("{}".getBytes(StandardCharsets.UTF_16)))
                .isInstanceOf(GarbageException.class);
        assertThatThrownBy(() -> word("[".repeat(ProgramLines.MAX_BYTES))).isInstanceOf(GarbageException.class);
        assertThatThrownBy(() -> word("{\"a\":".repeat(10_000))).isInstanceOf(GarbageException.class);
    }

    @Test
    void shouldCutLinesAtTheBound() throws Exception {
        InputStream in = new ByteArrayInputStream("abc\n\nabcd\nabcde\nx".getBytes(StandardCharsets.UTF_8));
        BoundedLines bounded = new BoundedLines(in, 4);
        List<String> read = new ArrayList<>();
        for (BoundedLines.Line line = bounded.next(); line != null; line = bounded.next()) {
            read.add(text(line.bytes()) + (line.whole() ? "" : "…"));
            if (!line.whole()) {
                bounded.skipRest();
            }
        }

        assertThat(read).containsExactly("abc", "", "abc…", "abc…", "x");
    }

    @Test
    void shouldGiveALineThatIsTooLongBeforeItsEnd() throws IOException {
        InputStream endless = new InputStream() {
            @Override
            public int read() {
                return 'x';
            }
        };

        BoundedLines.Line line = new BoundedLines(endless, ProgramLines.MAX_BYTES).next();

        assertThat(line).isNotNull().satisfies(cut -> {
            assertThat(cut.whole()).isFalse();
            assertThat(cut.bytes()).hasSize(ProgramLines.MAX_BYTES - 1);
        });
    }

    @Test
    void shouldReadATableThatAscendsAndEndsWhereItSays() throws Exception {
        TableReader table = new TableReader();
        table.take(new ProgramWord.Entry(1, 7));
        table.take(new ProgramWord.Entry(5000, 36));
        assertThatThrownBy(() -> table.take(new ProgramWord.Entry(5000, 36)))
                .hasMessage("it said index 5000 after index 5000");
        assertThatThrownBy(() -> table.table(new ProgramWord.Read(1, TableVersion.NONE, 5000)))
                .hasMessage("it said index 5000 of a table of 5000 entries");

        InstalledTable shorter = table.table(new ProgramWord.Read(1, TableVersion.NONE, -1));
        InstalledTable longer =
                table.table(new ProgramWord.Read(1, new TableVersion(1, 2), SouthboundProtocol.MAX_ENTRIES));

        assertThat(shorter.entries()).hasSize(5001).startsWith(255, 7, 255).endsWith(255, 36);
        assertThat(longer.entries()).hasSize(SouthboundProtocol.MAX_ENTRIES).endsWith(255);
        assertThat(longer.version()).isEqualTo(new TableVersion(1, 2));
        assertThat(new TableReader()
                        .table(new ProgramWord.Read(1, TableVersion.NONE, -1))
                        .entries())
                .isEmpty();
    }

    @Test
    void shouldNotLetAProgramFillTheLog() {
        AtomicLong now = new AtomicLong();
        List<String> log = new ArrayList<>();
        ErrorLines errors = new ErrorLines(now::get, log::add);

        for (int i = 0; i < 1000; i++) {
            errors.take(("line\t" + i).getBytes(StandardCharsets.UTF_8));
        }
        assertThat(log).hasSize(ErrorLines.LINES).contains("line?0");
        now.addAndGet(ErrorLines.WINDOW_NANOS);
        errors.take("next".getBytes(StandardCharsets.UTF_8));
        assertThat(log).hasSize(ErrorLines.LINES + 2).endsWith("(980 more lines)", "next");
    }
}
