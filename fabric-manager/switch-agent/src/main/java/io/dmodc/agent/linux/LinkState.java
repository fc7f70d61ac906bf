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
     * A line of {@code ip -o link show}, or {@code ip -o monitor link}. Without its qdisc an interface is not deleted, but taken off a
     * bridge.
     */
    private static final Pattern NEWS = Pattern.compile(
            "(?:\\[LINK])?(Deleted (?=.* qdisc ))?(\\d{1,9}): ([^:@ ]+)(?:@[^:]*)?: <([A-Z0-9_,-]*)>.*");

    private static final Pattern MAC = Pattern.compile(" link/ether ([0-9a-f:]+)");

    /** The same, with an address that was told before. */
    LinkState with(String knownMac) {
        return new LinkState(index, name, there, up, carrier, knownMac);
    }

    /** Returns what such a line tells; null when it tells of no interface. */
    static @Nullable LinkState parse(String line) {
        Matcher news = NEWS.matcher(line);
        if (!news.matches()) {
            return null;
        }
        List<String> flags = List.of(news.group(4).split(","));
        Matcher mac = MAC.matcher(line);
        boolean there = news.group(1) == null;
        boolean up = there && flags.contains("UP");
        return new LinkState(
                Integer.parseInt(news.group(2)),
                news.group(3),
                there,
                up,
                up && flags.contains("LOWER_UP"),
                mac.find() ? mac.group(1) : "");
    }

    /** Reads what {@code ip -o link show} lists, in the same words. */
    static List<LinkState> read(InputStream out) throws IOException {
        List<LinkState> links = new ArrayList<>();
        IpLine.each(out, line -> {
            LinkState link = parse(line);
            if (link != null) {
                links.add(link);
            }
        });
        return links;
    }
}
