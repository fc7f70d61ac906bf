package io.dmodc.agent.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * What the kernel is told about IPv6 on a port's interface, below {@code /proc/sys/net/ipv6/conf}. A link-local address is kept back for
 * one to two seconds while the kernel asks whether somebody else has it (duplicate address detection), and nothing can be sent so
 * long. On a cable with one other end there is nobody to ask.
 *
 * <p>Where this process may not write there, all of it does nothing, and the port speaks when the kernel is done. Stateless.
 */
final class Ipv6Settings {
    private static final Path CONF = Path.of("/proc/sys/net/ipv6/conf");

    /** Makes a link-local address from a random number. */
    private static final String RANDOM_ADDRESS = "3";

    private Ipv6Settings() {}

    /** Has addresses of an interface that come up from now on be ready at once. */
    static void skipDetection(String interfaceName) {
        Path file = CONF.resolve(interfaceName).resolve("accept_dad");
        try {
            if (!read(file).equals("0")) {
                write(file, "0");
            }
        } catch (IOException e) {
            // Not permitted, or the interface has gone: the address is ready when the kernel says so.
        }
    }

    /**
     * Gives an interface one more link-local address, which is ready at once after {@link #skipDetection}.
     *
     * @return false when this process may not, or there is no such interface
     */
    static boolean addAddress(String interfaceName) {
        Path file = CONF.resolve(interfaceName).resolve("addr_gen_mode");
        try {
            String mode = read(file);
            // The kernel makes an address whenever the mode changes.
            write(file, RANDOM_ADDRESS);
            write(file, mode);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns whether there is such an interface, also one without an address, which Java does not find. */
    static boolean isThere(String interfaceName) {
        return Files.isDirectory(CONF.resolve(interfaceName));
    }

    /** True when somebody has turned IPv6 off on an interface. */
    static boolean isOff(String interfaceName) {
        try {
            return read(CONF.resolve(interfaceName).resolve("disable_ipv6")).equals("1");
        } catch (IOException e) {
            return false;
        }
    }

    private static String read(Path file) throws IOException {
        return Files.readString(file).strip();
    }

    private static void write(Path file, String value) throws IOException {
        Files.writeString(file, value, StandardOpenOption.WRITE);
    }
}
