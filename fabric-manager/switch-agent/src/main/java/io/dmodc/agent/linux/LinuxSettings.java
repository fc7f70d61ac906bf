package io.dmodc.agent.linux;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a plane of the kernel's routes is told at its start.
 *
 * @param guid of the switch
 * @param name for people
 * @param portCount 1..254
 * @param interfacePrefix port n is the network interface of this name followed by n
 * @param routeProtocol by which the kernel tells our routes from others, 5..255
 * @param standingRoutes whether a second route over an alternative port stands behind that of each entry which has one
 * @param stateDir where the table is remembered; null: it is not, and a restart begins with none
 * @param command what {@code ip} and {@code sh} are started with, as {@code ip netns exec X}; empty: as they are
 */
public record LinuxSettings(
        long guid,
        String name,
        int portCount,
        String interfacePrefix,
        int routeProtocol,
        boolean standingRoutes,
        @Nullable Path stateDir,
        List<String> command) {
    /** Numbers below are the kernel's own, and of static routes. */
    public static final int PROTOCOL_MIN = 5;

    public static final int PROTOCOL_MAX = 255;

    /** Longest name of a network interface. */
    private static final int INTERFACE_CHARS_MAX = 15;

    private static final int PORT_DIGITS_MAX = 3;

    /** Checks the ranges. */
    public LinuxSettings {
        command = List.copyOf(command);
        checkPrefix(interfacePrefix);
        if (routeProtocol < PROTOCOL_MIN || routeProtocol > PROTOCOL_MAX) {
            throw new IllegalArgumentException(
                    "route-protocol " + routeProtocol + " outside " + PROTOCOL_MIN + ".." + PROTOCOL_MAX);
        }
    }

    /** @throws IllegalArgumentException in one line, when interfaces cannot have such names */
    public static void checkPrefix(String prefix) {
        if (!prefix.matches("[A-Za-z][A-Za-z0-9_.-]{0," + (INTERFACE_CHARS_MAX - PORT_DIGITS_MAX - 1) + "}")
                || Character.isDigit(prefix.charAt(prefix.length() - 1))) {
            throw new IllegalArgumentException(
                    "interface-prefix: '" + prefix
                            + "'; expected a letter, at most 11 letters, digits, '_', '.' or '-' behind it, and no digit at the end");
        }
    }

    /** Returns the interface of a port. */
    String interfaceOf(int port) {
        return interfacePrefix + port;
    }

    /** Returns the port of an interface; 0 when it is none of ours. */
    int portOf(String name) {
        int at = interfacePrefix.length();
        if (!name.startsWith(interfacePrefix)
                || name.length() == at
                || name.length() > at + PORT_DIGITS_MAX
                || name.charAt(at) == '0') {
            return 0;
        }
        int number = 0;
        for (; at < name.length(); at++) {
            int digit = name.charAt(at) - '0';
            if (digit < 0 || digit > 9) {
                return 0;
            }
            number = 10 * number + digit;
        }
        return number <= portCount ? number : 0;
    }
}
