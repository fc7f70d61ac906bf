package io.dmodc.manager.opensm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dmodc.manager.opensm.NamedSwitchLook.UnclearException;
import io.dmodc.subnet.DiscoverySource;
import io.dmodc.subnet.OpenSmSettings;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What asking some switches tells of a subnet of scripts, beside a look at all of it. */
class NamedSwitchLookTest {
    private static final String FIRST_HOST = "# Initiated from node 02c0000000000000 port 02c0000000000001\n";

    @TempDir
    private Path directory = Path.of("");

    private FakeSubnet subnet;
    private FabricView view;
    private DiscoverySource source;
    private SwitchAsker asker;
    private NamedSwitchLook look;
    private final LostSwitches lost = new LostSwitches();
    private String whole;

    /** Two cables, GUID and port of one end and of the other. */
    private long[] one;

    private long[] other;

    @BeforeEach
    void draw() throws Exception {
        DrawnSubnet drawn = new DrawnSubnet("2;2,8;1,6;1,1");
        view = drawn.view();
        whole = FIRST_HOST + drawn.text();
        subnet = new FakeSubnet(directory, whole);
        OpenSmSettings settings = subnet.lookingAtSwitches();
        source = new DiscoverySource(settings);
        asker = new SwitchAsker(String.valueOf(settings.switchLook()), settings);
        look = new NamedSwitchLook(asker, System::nanoTime);
        one = cable(1);
        other = cable(2);
    }

    @AfterEach
    void close() throws InterruptedException {
        asker.close();
        subnet.close();
    }

    /** The n-th one from the last leaf upward. */
    private long[] cable(int number) {
        int leaf = view.nodeSwitch(view.nodeCount() - 1);
        int port = 0;
        for (int left = number; left >= 0; ) {
            port++;
            left -= view.peerSwitch(leaf, port) >= 0 ? 1 : 0;
        }
        return new long[] {
            view.switchGuid(leaf), port, view.switchGuid(view.peerSwitch(leaf, port)), view.peerPort(leaf, port)
        };
    }

    private void cut(long[] cable) throws Exception {
        subnet.cut(cable[0], (int) cable[1], cable[2], (int) cable[3]);
    }

    private Discovery lookAtAll() throws Exception {
        return new Discovery(source.look(System::nanoTime), 0);
    }

    private Discovery lookAt(Discovery before, long... named) throws Exception {
        Set<Long> guids = new HashSet<>();
        for (long each : named) {
            guids.add(each);
        }
        return look.look(before, lost, () -> guids, 0);
    }

    /** With the rates of its ends, which nobody has told since it was lost. */
    @Test
    void shouldTellThatACableIsBackAsALookAtAllDoes() throws Exception {
        cut(one);
        Discovery before = lookAtAll();

        subnet.mend();

        assertThat(lookAt(before, one[2]).sameCabling(lookAtAll())).isTrue();
    }

    @Test
    void shouldTellOfOneThatIsBackAndOneThatIsLostTogether() throws Exception {
        cut(one);
        Discovery before = lookAtAll();

        cut(other);

        assertThat(lookAt(before, one[0]).sameCabling(lookAtAll())).isTrue();
    }

    /** Nothing of it is in what is believed, not even its LID. */
    @Test
    void shouldTellThatASwitchIsBackAsALookAtAllDoes() throws Exception {
        Discovery all = lookAtAll();
        subnet.kill(one[2]);
        Discovery before = lookAtAll();
        lost.changed(all, before);

        subnet.mend();
        Discovery found = lookAt(before, one[0]);

        assertThat(found.sameCabling(lookAtAll())).isTrue();
        assertThat(found.lids().lidOf(one[2]))
                .isEqualTo(all.lids().lidOf(one[2]))
                .isPositive();
        assertThat(found.paths().to(one[2])).isEqualTo(all.paths().to(one[2]));
    }

    @Test
    void shouldNotTellOfASwitchThatNobodyKnows() throws Exception {
        subnet.kill(one[2]);
        Discovery before = lookAtAll();

        subnet.mend();

        assertThatThrownBy(() -> lookAt(before, one[0]))
                .isInstanceOf(UnclearException.class)
                .hasMessageContaining("changed otherwise");
    }

    @Test
    void shouldNotTellWhatOneEndSaysAlone() throws Exception {
        cut(one);
        Discovery before = lookAtAll();

        subnet.put(whole.replace(line(one[2], (int) one[3]), ""));

        assertThatThrownBy(() -> lookAt(before, one[0]))
                .isInstanceOf(UnclearException.class)
                .hasMessageContaining("is up, and what it leads to does not say so");
    }

    /** Each of the lower ends names an upper one that names the other lower one. */
    @Test
    void shouldNotTellOfEndsThatDoNotNameEachOther() throws Exception {
        subnet.cutBoth(one, other);
        Discovery before = lookAtAll();
        String atOne = line(one[2], (int) one[3]);
        String atOther = line(other[2], (int) other[3]);
        String toOne = "[" + one[1] + "]";
        String toOther = "[" + other[1] + "]";

        subnet.put(whole.replace(atOne, atOne.replace("\"" + toOne, "\"" + toOther))
                .replace(atOther, atOther.replace("\"" + toOther, "\"" + toOne)));

        assertThatThrownBy(() -> lookAt(before, one[0]))
                .isInstanceOf(UnclearException.class)
                .hasMessageContaining("does not say so");
    }

    /** Nobody has said what such a link carries. */
    @Test
    void shouldNotTellOfALinkThatIsTrainedAsNoOther() throws Exception {
        cut(one);
        Discovery before = lookAtAll();
        Files.move(directory.resolve("look"), directory.resolve("looks"), StandardCopyOption.REPLACE_EXISTING);

        subnet.mend();
        subnet.script(
                "look",
                directory + "/looks \"$1\" | sed -e '" + slower(one[0], one[2]) + "' -e '" + slower(one[2], one[0])
                        + "'");

        assertThatThrownBy(() -> lookAt(before, one[0]))
                .isInstanceOf(UnclearException.class)
                .hasMessageContaining("no other link is trained to 1X");
    }

    private static String slower(long from, long to) {
        return "s/^\\(0x" + Guid.digits(from) + " .*\\) 4X\\( .* 0x" + Guid.digits(to) + " \\)/\\1 1X\\2/";
    }

    /** Of a switch's port in the text, to its end. */
    private String line(long guid, int port) {
        int block = whole.indexOf("switchguid=0x" + Guid.digits(guid));
        int begin = whole.indexOf("\n[" + port + "]\t", block) + 1;
        return whole.substring(begin, whole.indexOf('\n', begin) + 1);
    }

    /** Whose clock is looked at now and then, each time so much later. */
    private NamedSwitchLook slow(long millis) {
        AtomicLong nanos = new AtomicLong();
        return new NamedSwitchLook(asker, () -> nanos.getAndAdd(TimeUnit.MILLISECONDS.toNanos(millis)));
    }

    private Set<Long> switches(int count) {
        return IntStream.range(0, count).mapToObj(view::switchGuid).collect(Collectors.toSet());
    }

    /** While OpenSM sweeps a large fabric, switches take longer to answer, and a look at all of them very much longer. */
    @Test
    void shouldHaveHalfTheTimeOfALookAtAll() throws Exception {
        NamedSwitchLook slow = slow(600);
        Discovery before = lookAtAll();
        cut(one);

        asker.lookAtAllTook(TimeUnit.MILLISECONDS.toNanos(900));
        assertThatThrownBy(() -> slow.look(before, lost, () -> Set.of(one[0]), 0))
                .isInstanceOf(UnclearException.class)
                .hasMessage("no end within 1 rounds");

        asker.lookAtAllTook(TimeUnit.MILLISECONDS.toNanos(2_200));
        assertThatThrownBy(() -> slow.look(before, lost, () -> switches(view.switchCount()), 0))
                .isInstanceOf(UnclearException.class)
                .hasMessage("switches take too long to answer");

        asker.lookAtAllTook(TimeUnit.SECONDS.toNanos(9));
        assertThat(slow.look(before, lost, () -> Set.of(one[0]), 0).sameCabling(lookAtAll()))
                .isTrue();
    }

    /** Eight at a time took 0.9 s by a clock that goes on by 0.1 s for each, so that fourteen take 1.575 s. */
    @Test
    void shouldNotAskManyOneByOneWhereALookAtAllTakesLess() throws Exception {
        NamedSwitchLook slow = slow(100);
        Discovery before = lookAtAll();
        asker.lookAtAllTook(TimeUnit.MILLISECONDS.toNanos(1_570));
        assertThat(slow.look(before, lost, () -> switches(8), 0)).isSameAs(before);
        int asked = looked().size();

        assertThatThrownBy(() -> slow.look(before, lost, () -> switches(14), 0))
                .isInstanceOf(UnclearException.class)
                .hasMessage("to ask 14 switches takes longer");
        asker.lookAtAllTook(TimeUnit.SECONDS.toNanos(9));
        assertThatThrownBy(() -> slow.look(before, lost, () -> switches(14), 0))
                .as("the look that took so long may have been taken while OpenSM swept")
                .isInstanceOf(UnclearException.class)
                .hasMessage("to ask 14 switches takes longer");
        assertThat(looked()).hasSize(asked);

        for (int i = 0; i < SwitchAsker.LOOKS; i++) {
            asker.lookAtAllTook(TimeUnit.MILLISECONDS.toNanos(1_580));
        }
        assertThat(slow.look(before, lost, () -> switches(14), 0)).isSameAs(before);
        asker.lookAtAllTook(1);
        assertThat(slow.look(before, lost, () -> switches(8), 0))
                .as("as many as can be asked at a time")
                .isSameAs(before);
        assertThat(looked()).hasSize(asked + 14 + 8);
    }

    /** Where switches do not answer at the start, when it is tried, nothing better is known of how long they take. */
    @Test
    void shouldNotAskManyOneByOneWhereTheFirstDidNotAllAnswer() throws Exception {
        NamedSwitchLook slow = slow(100);
        Discovery before = lookAtAll();
        asker.lookAtAllTook(TimeUnit.MILLISECONDS.toNanos(1_570));
        subnet.kill(view.switchGuid(3));
        assertThatThrownBy(() -> slow.look(before, lost, () -> switches(8), 0)).isInstanceOf(UnclearException.class);
        int asked = looked().size();

        assertThatThrownBy(() -> slow.look(before, lost, () -> switches(14), 0))
                .isInstanceOf(UnclearException.class)
                .hasMessage("to ask 14 switches takes longer");
        assertThat(looked()).hasSize(asked);
    }

    private List<String> looked() throws IOException {
        return Files.readAllLines(directory.resolve("looked"));
    }

    @Test
    void shouldTellThatASwitchWithFortyNeighboursIsLost() throws Exception {
        DrawnSubnet wide = new DrawnSubnet("2;1,40;1,2;1,1");
        view = wide.view();
        subnet.put(FIRST_HOST + wide.text());
        Discovery before = lookAtAll();
        long[] leaves = IntStream.range(0, view.switchCount())
                .filter(view::isLeaf)
                .mapToLong(view::switchGuid)
                .toArray();
        assertThat(leaves).hasSize(40);

        subnet.kill(cable(0)[2]);
        asker.lookAtAllTook(TimeUnit.SECONDS.toNanos(10));

        assertThat(lookAt(before, leaves).sameCabling(lookAtAll())).isTrue();
    }
}
