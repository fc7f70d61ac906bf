package io.dmodc.agent.linux;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.topology.LinkRate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the kernel says of the speed of links, in files as it makes them. */
class PortSpeedsTest {
    @TempDir
    Path net;

    private final BitSet all = bits(1, 2, 3, 4);

    private static BitSet bits(int... numbers) {
        BitSet bits = new BitSet();
        for (int number : numbers) {
            bits.set(number);
        }
        return bits;
    }

    private PortSpeeds speeds(String... command) {
        return new PortSpeeds(net, new LinuxSettings(1, "s", 4, "swp", 201, true, null, List.of(command)));
    }

    private void say(String name, String text) throws IOException {
        Files.writeString(Files.createDirectories(net.resolve(name)).resolve("speed"), text);
    }

    @Test
    void shouldReadEachPortThatHasCarrierAndSayWhatChanged() throws IOException {
        say("swp1", "100000\n");
        say("swp2", "25000\n");
        say("swp3", "25000\n");
        PortSpeeds speeds = speeds();

        assertThat(speeds.read(all, port -> port != 3)).isEqualTo(bits(1, 2));

        assertThat(speeds.of(1)).isEqualTo(new LinkRate(100_000, 0));
        assertThat(speeds.of(2)).isEqualTo(new LinkRate(25_000, 0));
        assertThat(speeds.of(3)).as("no carrier").isNull();
        assertThat(speeds.of(4)).as("no interface").isNull();
        assertThat(speeds.read(all, port -> port != 3)).as("no news").isEqualTo(bits());
        say("swp2", "10000\n");
        assertThat(speeds.read(bits(1), port -> true)).as("not asked").isEqualTo(bits());
        assertThat(speeds.read(all, port -> port != 1)).isEqualTo(bits(1, 2, 3));
        assertThat(speeds.of(1)).as("lost carrier").isNull();
        assertThat(speeds.of(2)).isEqualTo(new LinkRate(10_000, 0));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"-1\n", "0\n", "4294967295\n", "", "Unknown!\n", "100000000000000000000000000000000000000\n"})
    void shouldKnowNothingOfWhatIsNoSpeed(String text) throws IOException {
        say("swp1", text);
        PortSpeeds speeds = speeds();

        assertThat(speeds.read(all, port -> true)).isEqualTo(bits());

        assertThat(speeds.of(1)).isNull();
    }

    /** A directory where the file should be, as a file that a driver does not let be read. */
    @Test
    void shouldKnowNothingOfWhatCannotBeRead() throws IOException {
        Files.createDirectories(net.resolve("swp1").resolve("speed"));

        assertThat(speeds().read(all, port -> true)).isEqualTo(bits());
    }

    @Test
    void shouldNotTakeInterfacesOfThisNamespaceForThoseOfAnother() throws IOException {
        say("swp1", "100000\n");

        assertThat(speeds("ip", "netns", "exec", "x").read(all, port -> true)).isEqualTo(bits());
    }

    /** Prints what the kernel says of ports 1 and 2. */
    static final class OfTheKernel {
        private OfTheKernel() {}

        @SuppressWarnings("SystemOut")
        public static void main(String... arguments) {
            PortSpeeds speeds =
                    new PortSpeeds(PortSpeeds.KERNEL, new LinuxSettings(1, "s", 4, "swp", 201, true, null, List.of()));
            speeds.read(bits(1, 2, 3), port -> true);
            System.out.println(speeds.of(1) + ", " + speeds.of(2) + ", " + speeds.of(3));
        }
    }

    /** A pair of veth says 10 Gbit/s, one that is down nothing, and one that is not there cannot be read. */
    @Test
    void shouldReadWhatTheKernelSays() throws Exception {
        String first = "mount -t sysfs none /sys && ip link add swp1 type veth peer name far && ip link set swp1 up"
                + " && ip link set far up && ip link add swp2 type veth peer name other";

        assertThat(OwnNamespace.run(first, OfTheKernel.class).strip()).isEqualTo("10 Gbit/s, null, null");
    }
}
