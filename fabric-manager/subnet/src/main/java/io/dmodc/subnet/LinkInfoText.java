package io.dmodc.subnet;

import io.dmodc.topology.FabricView;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads what {@code iblinkinfo -l} prints of one switch: a line for each of its ports. */
public final class LinkInfoText {
    /**
     * What a switch says of itself.
     *
     * @param ports by number − 1; null where a port is down
     */
    public record SwitchLinks(long guid, int lid, List<@Nullable FarEnd> ports) {}

    /**
     * What a port leads to.
     *
     * @param guid of the port; of a switch, that of its port 0
     * @param trained what the link was trained to, as it is printed but for blanks: {@code 4X 25.78125 Gbps}
     */
    public record FarEnd(long guid, int lid, int port, String trained) {
        /** True if the port is up, and what it leads to does not answer: all but what it was trained to is 0. */
        public boolean isUnknown() {
            return guid == 0;
        }
    }

    private static final String NUMBER = " +(\\d{1,5})";
    private static final String GUID = "0x([0-9a-f]{1,16})";
    private static final Pattern LINE = Pattern.compile("^" + GUID + " \".*?\"" + NUMBER + NUMBER
            + "\\[.{2}] ==\\((.*?)\\)==> +(?:" + GUID + NUMBER + NUMBER + "\\[.{2}] .*|\\[ *] .*)$");

    private static final Pattern STATE = Pattern.compile(" *\\S+/ *\\S+ *$");
    private static final Pattern BLANKS = Pattern.compile(" +");

    private LinkInfoText() {}

    /**
     * Reads it.
     *
     * @throws CommandFailedException if it is not of one switch, with each of its ports
     */
    public static SwitchLinks links(byte[] printed) throws CommandFailedException {
        List<@Nullable FarEnd> ports = new ArrayList<>();
        long guid = 0;
        int lid = 0;
        for (String line : new String(printed, StandardCharsets.ISO_8859_1).split("\n")) {
            Matcher its = LINE.matcher(line);
            if (!its.matches() || ports.size() >= FabricView.PORT_MAX) {
                throw new CommandFailedException("a line that is none of iblinkinfo -l: " + ChildCommand.shorten(line));
            }
            long each = Long.parseUnsignedLong(its.group(1), 16);
            if (Integer.parseInt(its.group(3)) != ports.size() + 1 || (!ports.isEmpty() && each != guid)) {
                throw new CommandFailedException("port " + its.group(3) + " of 0x" + its.group(1) + "; expected port "
                        + (ports.size() + 1) + " of one switch");
            }
            guid = each;
            lid = Integer.parseInt(its.group(2));
            ports.add(farEnd(its));
        }
        return new SwitchLinks(guid, lid, ports);
    }

    private static @Nullable FarEnd farEnd(Matcher its) {
        if (its.group(5) == null) {
            return its.group(4).contains("Down/") ? null : new FarEnd(0, 0, 0, trained(its.group(4)));
        }
        return new FarEnd(
                Long.parseUnsignedLong(its.group(5), 16),
                Integer.parseInt(its.group(6)),
                Integer.parseInt(its.group(7)),
                trained(its.group(4)));
    }

    private static String trained(String link) {
        return BLANKS.matcher(STATE.matcher(link).replaceFirst(""))
                .replaceAll(" ")
                .strip();
    }
}
