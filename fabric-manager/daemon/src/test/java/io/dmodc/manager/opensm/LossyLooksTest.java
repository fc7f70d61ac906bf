package io.dmodc.manager.opensm;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.subnet.DiscoverySource;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is made of looks that leave out what packets were lost for. */
class LossyLooksTest {
    @TempDir
    private Path directory = Path.of("");

    private FakeSubnet subnet;
    private FabricView view;
    private DiscoverySource source;
    private Discovery before;
    private final LossyLooks looks = new LossyLooks();

    @BeforeEach
    void draw() throws Exception {
        DrawnSubnet drawn = new DrawnSubnet("2;2,8;1,6;1,1");
        view = drawn.view();
        subnet = new FakeSubnet(
                directory, "# Initiated from node 02c0000000000000 port 02c0000000000001\n" + drawn.text());
        source = new DiscoverySource(subnet.settings());
        before = look();
    }

    @AfterEach
    void close() throws InterruptedException {
        subnet.close();
    }

    private Discovery look() throws Exception {
        return new Discovery(source.look(System::nanoTime), 0);
    }

    /** What a look shows that leaves these out, which are there all the same. */
    private Discovery without(int... switches) throws Exception {
        String whole = Files.readString(directory.resolve("net"));
        for (int s : switches) {
            subnet.put(Files.readString(directory.resolve("net")));
            subnet.kill(view.switchGuid(s));
        }
        Discovery found = look();
        subnet.put(whole);
        return found;
    }

    private Discovery withoutHost(int node) throws Exception {
        String whole = Files.readString(directory.resolve("net"));
        String digits = Guid.digits(Objects.requireNonNull(view.host(node)).hostGuid());
        subnet.put(whole.replaceAll("(?m)^\\[\\d+]\t\"H-" + digits + ".*\n", "")
                .replaceAll("(?s)vendid[^\n]*\n[^\n]*\n[^\n]*\ncaguid=0x" + digits + ".*?\n\n", ""));
        Discovery found = look();
        subnet.put(whole);
        return found;
    }

    private void assertIs(Discovery found, Discovery expected) {
        assertThat(found).isNotNull();
        assertThat(found.sameCabling(expected)).isTrue();
        for (int s = 0; s < view.switchCount(); s++) {
            long guid = view.switchGuid(s);
            assertThat(found.lids().lidOf(guid)).isEqualTo(expected.lids().lidOf(guid));
            assertThat(found.paths().to(guid)).isEqualTo(expected.paths().to(guid));
        }
    }

    /** Nothing is gone that one of them shows: neither a switch nor its LID, nor a host's. */
    @Test
    void shouldTakeTogetherWhatTwoLooksShow() throws Exception {
        assertThat(looks.take(without(9), before, 1)).isNull();

        Discovery together = looks.take(without(10), before, 2);

        assertIs(together, before);
        assertThat(together.lacksSomeOf(before)).isFalse();
        assertThat(looks.begunNanos()).isEqualTo(1);
    }

    @Test
    void shouldTakeTwoLooksThatShowTheSameAsSoon() throws Exception {
        Discovery lacking = withoutHost(3);

        assertThat(looks.take(lacking, before, 1)).isNull();
        assertIs(looks.take(withoutHost(3), before, 2), lacking);
    }

    @Test
    void shouldTakeForGoneWhatNoneOfThreeShows() throws Exception {
        assertThat(looks.take(without(9, 2), before, 1)).isNull();
        assertThat(looks.take(without(9, 10), before, 2)).isNull();
        assertThat(looks.areMany()).isFalse();

        assertIs(looks.take(without(9, 11), before, 3), without(9));

        assertThat(looks.areMany()).isTrue();
        looks.clear();
        assertThat(looks.take(without(9, 11), before, 4)).isNull();
    }

    /** Where so much is lost the next look may show yet more. */
    @Test
    void shouldWaitUntilAFurtherLookShowsNothingMoreWhereMuchIsGone() throws Exception {
        assertThat(looks.take(without(8, 9, 10, 11, 0), before, 1)).isNull();
        assertThat(looks.take(without(8, 9, 10, 11, 1), before, 2)).isNull();
        looks.clear();
        assertThat(looks.take(without(8, 9, 10, 11, 0, 1), before, 3)).isNull();
        assertThat(looks.take(without(8, 9, 10, 11, 1, 2, 0), before, 4)).isNull();
        assertThat(looks.take(without(8, 9, 10, 11, 1, 3), before, 5)).isNull();

        assertThat(looks.take(without(8, 9, 10, 11, 5), before, 6)).isNull();

        assertIs(looks.take(without(8, 9, 10, 11, 6), before, 7), without(8, 9, 10, 11));
    }

    /** A cable that the newest look shows elsewhere is there, whatever an earlier one showed. */
    @Test
    void shouldBelieveTheNewestLookOfWhereAPortLeads() throws Exception {
        String whole = Files.readString(directory.resolve("net"));
        Discovery first = without(9);
        String one = Guid.digits(Objects.requireNonNull(view.host(0)).hostGuid());
        String other = Guid.digits(Objects.requireNonNull(view.host(15)).hostGuid());
        subnet.put(swapped(whole, one, other));
        Discovery moved = look();

        Discovery together = moved.withAlso(first);

        assertThat(moved.sameCabling(before)).isFalse();
        assertIs(together, moved);
    }

    private static String swapped(String text, String one, String other) {
        return text.replace(one, "swapped").replace(other, one).replace("swapped", other);
    }
}
