package io.dmodc.topology;

/**
 * Addresses of hosts as text. Written by hand because {@link java.net.InetAddress} would look a name up where it is
 * given one; here a name is refused. What is printed is read again as the same address.
 */
final class AddressText {
    private static final int GROUPS = 8;

    /** {@code ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255}. */
    private static final int LENGTH_MAX = 45;

    private AddressText() {}

    /** Leading zeros are refused, as some programs read them as octal. */
    static int parseIpv4(String text) {
        int address = text.length() > LENGTH_MAX ? 0 : ipv4(text);
        if (address == 0) {
            throw no("IPv4 address", text, "four numbers 0..255 with dots, as 10.0.0.7");
        }
        return address;
    }

    /** 0 for what is no address. */
    private static int ipv4(String text) {
        String[] numbers = text.split("\\.", -1);
        if (numbers.length != 4) {
            return 0;
        }
        int address = 0;
        for (String number : numbers) {
            int value = digits(number, 3, 10);
            if (value < 0 || value > 255 || (number.length() > 1 && number.charAt(0) == '0')) {
                return 0;
            }
            address = address << 8 | value;
        }
        return address;
    }

    /** Groups with colons, one row of zero groups left out; the last two groups may be an IPv4 address. No zone. */
    static long[] parseIpv6(String text) {
        long[] address = text.length() > LENGTH_MAX ? new long[2] : ipv6(text);
        if ((address[0] | address[1]) == 0) {
            throw no("IPv6 address", text, "groups of hexadecimal digits with colons, as fd00::7");
        }
        return address;
    }

    /** Zeros for what is no address. */
    private static long[] ipv6(String text) {
        int gap = text.indexOf("::");
        int[] left = groups(gap < 0 ? text : text.substring(0, gap), gap < 0);
        int[] right = gap < 0 ? new int[0] : groups(text.substring(gap + 2), true);
        int missing = GROUPS - left.length - right.length;
        boolean fits = gap < 0 ? missing == 0 : missing > 0;
        long[] address = new long[2];
        for (int at = 0; fits && at < GROUPS; at++) {
            int fromRight = at - left.length - missing;
            int group = at < left.length ? left[at] : fromRight >= 0 ? right[fromRight] : 0;
            address[at / 4] = address[at / 4] << 16 | group;
        }
        return address;
    }

    /**
     * Sixteen bits each; more groups than there can be for what is none.
     *
     * @param last whether the address ends here, where an IPv4 address may stand
     */
    private static int[] groups(String text, boolean last) {
        if (text.isEmpty()) {
            return new int[0];
        }
        String[] words = text.split(":", -1);
        boolean dotted = last && words[words.length - 1].indexOf('.') >= 0;
        int[] groups = new int[words.length + (dotted ? 1 : 0)];
        for (int i = 0; i < words.length; i++) {
            boolean four = dotted && i == words.length - 1;
            int value = four ? ipv4(words[i]) : digits(words[i], 4, 16);
            if (four ? value == 0 : value < 0) {
                return new int[GROUPS + 1];
            }
            groups[i] = four ? value >>> 16 : value;
            if (four) {
                groups[i + 1] = value & 0xffff;
            }
        }
        return groups;
    }

    static long parseMac(String text) {
        long address = text.length() > LENGTH_MAX ? 0 : mac(text);
        if (address == 0) {
            throw no("MAC address", text, "six pairs of hexadecimal digits with colons, as 02:00:00:00:00:07");
        }
        return address;
    }

    /** 0 for what is no address. */
    private static long mac(String text) {
        String[] pairs = text.split(":", -1);
        long address = 0;
        for (String pair : pairs) {
            int value = digits(pair, 2, 16);
            if (pairs.length != HostAddresses.MAC_BYTES || pair.length() != 2 || value < 0) {
                return 0;
            }
            address = address << 8 | value;
        }
        return address;
    }

    /** −1 for what is no number of that many ASCII digits. */
    private static int digits(String text, int max, int radix) {
        if (text.isEmpty() || text.length() > max) {
            return -1;
        }
        int value = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            int digit = c < 128 ? Character.digit(c, radix) : -1;
            if (digit < 0) {
                return -1;
            }
            value = value * radix + digit;
        }
        return value;
    }

    private static IllegalArgumentException no(String kind, String text, String expected) {
        String shown = text.length() <= LENGTH_MAX ? text : text.substring(0, LENGTH_MAX) + "…";
        return new IllegalArgumentException(
                "'" + shown + "' is no " + kind + "; expected " + expected + ", not all of them 0");
    }

    static String ipv4(int address) {
        return (address >>> 24) + "." + (address >>> 16 & 255) + "." + (address >>> 8 & 255) + "." + (address & 255);
    }

    /** Lower-case without leading zeros; the first of the longest rows of two or more zero groups is left out. */
    static String ipv6(long high, long low) {
        int from = 0;
        int longest = 1;
        int row = 0;
        for (int at = 0; at < GROUPS; at++) {
            row = group(high, low, at) == 0 ? row + 1 : 0;
            if (row > longest) {
                longest = row;
                from = at + 1 - row;
            }
        }
        StringBuilder text = new StringBuilder();
        for (int at = 0; at < GROUPS; at++) {
            if (longest > 1 && at == from) {
                text.append("::");
                at += longest - 1;
            } else {
                text.append(text.isEmpty() || text.charAt(text.length() - 1) == ':' ? "" : ":")
                        .append(Integer.toHexString(group(high, low, at)));
            }
        }
        return text.toString();
    }

    private static int group(long high, long low, int at) {
        return (int) ((at < 4 ? high : low) >>> (48 - at % 4 * 16)) & 0xffff;
    }

    static String mac(long address) {
        StringBuilder text = new StringBuilder();
        for (int shift = 40; shift >= 0; shift -= 8) {
            int value = (int) (address >>> shift) & 255;
            text.append(Character.forDigit(value >>> 4, 16)).append(Character.forDigit(value & 15, 16));
            text.append(shift == 0 ? "" : ":");
        }
        return text.toString();
    }
}
