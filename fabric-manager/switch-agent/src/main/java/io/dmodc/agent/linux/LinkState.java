package io.dmodc.agent.linux;

import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A network interface as the kernel tells of it.
 *
 * @param index the kernel's number of it: another after it was deleted and made again
 * @param name as it is now
 * @param there false: it was deleted
 * @param up an administrator wants it up
 * @param carrier it is up, and so is what it is connected to
 * @param mac its address; empty: not told
 */
record LinkState(int index, String name, boolean there, boolean up, boolean carrier, String mac) {
    /**
     * A line of {@code ip -o monitor link}, which writes no JSON whatever it is asked for. Without its qdisc an interface is not deleted, but taken off a
     * bridge.
     */
    private static final Pattern NEWS = Pattern.compile(
            "(?:\\[LINK])?(Deleted (?=.* qdisc ))?(\\d{1,9}): ([^:@ ]+)(?:@[^:]*)?: <([A-Z0-9_,-]*)>.*");

    private static final Pattern MAC = Pattern.compile(" link/ether ([0-9a-f:]+)");

    /** The same, with an address that was told before. */
    LinkState with(String knownMac) {
        return new LinkState(index, name, there, up, carrier, knownMac);
    }

    /** Returns what a line of {@code ip -o monitor link} tells; null when it tells of no interface. */
    static @Nullable LinkState parse(String line) {
        Matcher news = NEWS.matcher(line);
        if (!news.matches()) {
            return null;
        }
        List<String> flags = List.of(news.group(4).split(","));
        Matcher mac = MAC.matcher(line);
        return of(
                Integer.parseInt(news.group(2)),
                news.group(3),
                news.group(1) == null,
                flags.contains("UP"),
                flags.contains("LOWER_UP"),
                mac.find() ? mac.group(1) : "");
    }

    private static LinkState of(int index, String name, boolean there, boolean up, boolean lowerUp, String mac) {
        return new LinkState(index, name, there, there && up, there && up && lowerUp, mac);
    }

    /** Reads what {@code ip -json link show} lists. */
    static List<LinkState> read(InputStream out) throws IOException {
        List<LinkState> links = new ArrayList<>();
        IpJson.read(out, link -> {
            String index = link.value("ifindex", "");
            if (index.matches("\\d{1,9}")) {
                links.add(of(
                        Integer.parseInt(index),
                        link.value("ifname", ""),
                        true,
                        link.has("flags", "UP"),
                        link.has("flags", "LOWER_UP"),
                        link.value("address", "")));
            }
        });
        return links;
    }
}
