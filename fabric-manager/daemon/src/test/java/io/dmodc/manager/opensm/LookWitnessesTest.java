package io.dmodc.manager.opensm;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.manager.opensm.LookWitnesses.SaidOfDump;
import io.dmodc.subnet.DiscoverySource;
import io.dmodc.subnet.OpenSmSettings;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What switches of scripts say of a look that leaves something out, and of a dump that uses it. */
class LookWitnessesTest {
    @TempDir
    private Path directory = Path.of("");

    private FakeSubnet subnet;
    private FabricView view;
    private DiscoverySource source;
    private SwitchAsker asker;
    private LookWitnesses witnesses;
    private String whole;

    @BeforeEach
    void draw() throws Exception {
        DrawnSubnet drawn = new DrawnSubnet("2;2,8;1,6;1,1");
        view = drawn.view();
        whole = "# Initiated from node 02c0000000000000 port 02c0000000000001\n" + drawn.text();
        subnet = new FakeSubnet(directory, whole);
        OpenSmSettings settings = subnet.lookingAtSwitches();
        source = new DiscoverySource(settings);
        asker = new SwitchAsker(String.valueOf(settings.switchLook()), settings);
        witnesses = new LookWitnesses(asker);
    }

    @AfterEach
    void close() throws InterruptedException {
        asker.close();
        subnet.close();
    }

    private Discovery lookAtAll() throws Exception {
        return new Discovery(source.look(System::nanoTime), 0);
    }

    private int lastLeaf() {
        return view.nodeSwitch(view.nodeCount() - 1);
    }

    /** A port of the last leaf that leads to a switch. */
    private int uplink() {
        int port = 1;
        while (view.peerSwitch(lastLeaf(), port) < 0) {
            port++;
        }
        return port;
    }

    private int top() {
        return view.peerSwitch(lastLeaf(), uplink());
    }

    private void cut() throws Exception {
        int port = uplink();
        subnet.cut(view.switchGuid(lastLeaf()), port, view.switchGuid(top()), view.peerPort(lastLeaf(), port));
    }

    /** What a look shows that leaves these out, which are there all the same. */
    private Discovery without(int... switches) throws Exception {
        for (int s : switches) {
            subnet.put(Files.readString(directory.resolve("net")));
            subnet.kill(view.switchGuid(s));
        }
        Discovery found = lookAtAll();
        subnet.put(whole);
        return found;
    }

    /** It is dead, which its neighbour says at once. */
    @Test
    void shouldNotAskASwitchThatIsGone() throws Exception {
        Discovery before = lookAtAll();
        subnet.kill(view.switchGuid(top()));

        assertThat(witnesses.contradiction(before, lookAtAll(), Map.of())).isEmpty();

        assertThat(looked())
                .isNotEmpty()
                .doesNotContain(String.valueOf(before.paths().to(view.switchGuid(top()))));
    }

    private List<String> looked() throws Exception {
        return Files.readAllLines(directory.resolve("looked"));
    }

    @Test
    void shouldNameASwitchThatIsLeftOutAndAnswers() throws Exception {
        Discovery before = lookAtAll();

        assertThat(witnesses.contradiction(before, without(top()), Map.of()))
                .isEqualTo(view.switchName(top()) + " is not in it, and answers");
        assertThat(witnesses.contradiction(before, without(0), Map.of()))
                .as("the one that the host hangs at")
                .isEqualTo(view.switchName(0) + " is not in it, and answers");
        assertThat(witnesses.contradiction(before, before, Map.of())).isEmpty();
    }

    /** What OpenSM's log says that the switches beside it told. */
    private Map<Long, Integer> toldBeside(int s) {
        return IntStream.rangeClosed(1, view.portCount(s))
                .filter(port -> view.peerSwitch(s, port) >= 0)
                .boxed()
                .collect(Collectors.toMap(port -> view.switchGuid(view.peerSwitch(s, port)), port -> 1));
    }

    /** OpenSM's log has not made the look, and says so of each cable. */
    @Test
    void shouldAskNobodyAboutASwitchWhoseNeighboursAllToldOpenSm() throws Exception {
        Discovery before = lookAtAll();
        Map<Long, Integer> told = toldBeside(top());
        subnet.kill(view.switchGuid(top()));

        assertThat(witnesses.contradiction(before, lookAtAll(), told)).isEmpty();

        assertThat(directory.resolve("looked")).doesNotExist();
        told.remove(view.switchGuid(lastLeaf()));
        witnesses.contradiction(before, lookAtAll(), told);
        assertThat(looked()).as("one is silent").isNotEmpty();
    }

    /** One that is lost is told of by the very switches at which another one is left out. */
    @Test
    void shouldNameASwitchThatIsLeftOutBesideOneThatIsGone() throws Exception {
        int other = IntStream.range(0, view.switchCount())
                .filter(s -> view.rank(s) == 1 && s != top())
                .findFirst()
                .orElseThrow();
        Discovery before = lookAtAll();
        Discovery lying = without(top(), other);
        subnet.kill(view.switchGuid(top()));

        assertThat(witnesses.contradiction(before, lying, toldBeside(top())))
                .isEqualTo(view.switchName(other) + " is not in it, and answers");
    }

    /** A cable is lost at one end of which another one is left out, and at the other end of that OpenSM heard of something else. */
    @Test
    void shouldNameASwitchOfWhichMoreIsLeftOutThanItTold() throws Exception {
        int left = IntStream.rangeClosed(1, view.portCount(top()))
                .filter(port -> view.peerSwitch(top(), port) >= 0 && view.peerSwitch(top(), port) != lastLeaf())
                .findFirst()
                .orElseThrow();
        Discovery before = lookAtAll();
        subnet.cutBoth(cable(view.peerPort(lastLeaf(), uplink())), cable(left));
        Discovery lying = lookAtAll();
        cut();
        Map<Long, Integer> told = Map.of(
                view.switchGuid(lastLeaf()),
                1,
                view.switchGuid(top()),
                1,
                view.switchGuid(view.peerSwitch(top(), left)),
                1);

        assertThat(witnesses.contradiction(before, lying, told))
                .isEqualTo(view.switchName(top()) + " port " + left
                        + " is down in it, and its switch says that it is not");
    }

    /** Of a port of the switch at the top, by GUID and port of its ends. */
    private long[] cable(int port) {
        return new long[] {
            view.switchGuid(top()), port, view.switchGuid(view.peerSwitch(top(), port)), view.peerPort(top(), port)
        };
    }

    /** Its port is up, and packets to it are lost: it is there, or hangs. */
    @Test
    void shouldAskASwitchItselfThatDoesNotAnswerItsNeighbour() throws Exception {
        Discovery before = lookAtAll();
        Discovery lying = without(top());
        String look = Files.readString(directory.resolve("look")).substring("#!/bin/sh\n".length());

        subnet.script(
                "look",
                "(" + look + ") | sed 's/==>  0x" + Guid.digits(view.switchGuid(top()))
                        + ".*/==>             [  ] \"\" ( )/'");

        assertThat(witnesses.contradiction(before, lying, Map.of()))
                .isEqualTo(view.switchName(top()) + " is not in it, and answers");
        assertThat(looked()).contains(String.valueOf(before.paths().to(view.switchGuid(top()))));
    }

    /** It hangs, so that its neighbours' ports are up, but lead to nobody who answers: that says nothing of it, and no less of another one. */
    @Test
    void shouldLetASwitchBeGoneThatHangs() throws Exception {
        int other = IntStream.range(0, view.switchCount())
                .filter(s -> view.rank(s) == 1 && s != top())
                .findFirst()
                .orElseThrow();
        Discovery before = lookAtAll();
        String look = Files.readString(directory.resolve("look")).substring("#!/bin/sh\n".length());
        String path = String.valueOf(before.paths().to(view.switchGuid(top())));
        subnet.script(
                "look",
                "[ $1 = " + path + " ] && exit 1\n(" + look + ") | sed 's/==>  0x" + Guid.digits(view.switchGuid(top()))
                        + ".*/==>             [  ] \"\" ( )/'");

        assertThat(witnesses.contradiction(before, without(top()), Map.of())).isEmpty();
        assertThat(witnesses.contradiction(before, without(top(), other), Map.of()))
                .isEqualTo(view.switchName(other) + " is not in it, and answers");
    }

    /** Packets get lost, also those that a switch asks its neighbours by. */
    @Test
    void shouldAskASwitchItselfWhoseNeighbourDoesNotAnswer() throws Exception {
        Discovery before = lookAtAll();
        Discovery lying = without(top());
        String look = Files.readString(directory.resolve("look")).substring("#!/bin/sh\n".length());

        subnet.script("look", "[ $1 != " + before.paths().to(view.switchGuid(top())) + " ] && exit 1\n" + look);

        assertThat(witnesses.contradiction(before, lying, Map.of()))
                .isEqualTo(view.switchName(top()) + " is not in it, and answers");
    }

    /** Of a manager before: it uses each port that leads to a switch. */
    private InheritedDump dump() throws Exception {
        StringBuilder text = new StringBuilder();
        for (int s = 0; s < view.switchCount(); s++) {
            text.append("Unicast lids [0-9] of switch Lid 1 guid " + Guid.format(view.switchGuid(s)) + " ('x'):\n")
                    .append("0x0001 000 # itself\n");
            for (int port = 1; port <= view.portCount(s); port++) {
                text.append(view.peerSwitch(s, port) < 0 ? "" : "0x0002 00" + port + " # there\n");
            }
        }
        return InheritedDump.of(Files.writeString(directory.resolve("inherited"), text));
    }

    private SaidOfDump said(Discovery found) throws Exception {
        return witnesses.ofDump(dump(), found);
    }

    private String name(int s) {
        return view.switchName(s) + " (" + Guid.format(view.switchGuid(s)) + ")";
    }

    @Test
    void shouldSayThatAPortIsUpWhichTheDumpUsesAndTheLookShowsDown() throws Exception {
        SaidOfDump said = said(without(top()));

        assertThat(said.contradiction())
                .startsWith(name(0) + " port ")
                .endsWith(" is down in it, and its switch says that it is not");
        assertThat(said.dead()).isEmpty();
        assertThat(said(lookAtAll())).isEqualTo(new SaidOfDump("", ""));
        assertThat(witnesses.ofDump(InheritedDump.none(), without(top()))).isEqualTo(new SaidOfDump("", ""));
    }

    @Test
    void shouldSayThatItIsDown() throws Exception {
        cut();

        SaidOfDump said = said(lookAtAll());

        assertThat(said.contradiction()).isEmpty();
        assertThat(said.dead()).isIn(name(lastLeaf()) + " port " + uplink(), name(top()) + " port 8");
    }

    /** Both ends of the dead cable are left out. */
    @Test
    void shouldSayThatAPortIsDownBehindWhatIsShown() throws Exception {
        Discovery lying = without(top(), lastLeaf());
        assertThat(said(lying).dead()).isEmpty();
        cut();

        SaidOfDump said = said(lying);

        assertThat(said.contradiction()).isNotEmpty();
        assertThat(said.dead()).startsWith("switch 0x").contains(" port ");
    }

    /** All switches between are left out: who is behind them answers all the same, by what they lead to. */
    @Test
    void shouldAskSwitchesToWhichTheLookShowsNoWay() throws Exception {
        int[] tops = IntStream.range(0, view.switchCount())
                .filter(s -> view.rank(s) == 1)
                .toArray();

        SaidOfDump said = said(without(tops));

        assertThat(said.contradiction()).startsWith(name(0) + " port ");
        assertThat(said.dead()).isEmpty();
    }

    /** As in a look that does not say from where it was taken. */
    @Test
    void shouldTakeSwitchesThatCannotBeAskedForDead() throws Exception {
        whole = whole.substring(whole.indexOf('\n') + 1);
        subnet.put(whole);

        SaidOfDump said = said(without(top()));

        assertThat(said.contradiction()).isEmpty();
        assertThat(said.dead()).isEqualTo(name(0) + ", to which no way is known");
    }

    @Test
    void shouldSayThatASwitchIsDeadThatDoesNotAnswer() throws Exception {
        Discovery lying = without(top());
        String path = String.valueOf(lying.paths().to(view.switchGuid(lastLeaf())));
        String look = Files.readString(directory.resolve("look")).substring("#!/bin/sh\n".length());

        subnet.script("look", "[ $1 = " + path + " ] && exit 1\n" + look);

        assertThat(said(lying).contradiction()).startsWith(name(0));
        assertThat(said(lying).dead()).isEqualTo(name(lastLeaf()) + ", which does not answer");
    }
}
