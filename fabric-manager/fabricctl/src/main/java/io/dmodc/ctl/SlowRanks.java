package io.dmodc.ctl;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import io.dmodc.topology.rates.SlowLinks;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The links between two ranks that are slower than most of them; its components are the fields of the JSON form.
 *
 * @param lower rank of one end
 * @param upper rank of the other end
 * @param norm width and speed of most of them
 * @param links how many there are whose rate is known
 * @param slower how many are below the norm
 * @param first of these, at most {@link #LISTED_MAX}
 */
record SlowRanks(int lower, int upper, String norm, int links, int slower, List<Slow> first) {
    static final int LISTED_MAX = 20;

    /** One of them, from its lower end. */
    record Slow(String guid, String name, int port, String farGuid, String farName, int farPort, String rate) {}

    static List<SlowRanks> of(FabricView view, SlowLinks links) {
        return links.ranks().stream()
                .map(pair -> new SlowRanks(
                        pair.lower(),
                        pair.upper(),
                        pair.norm().toString(),
                        pair.links(),
                        pair.slow().size(),
                        pair.slow().stream()
                                .limit(LISTED_MAX)
                                .map(link -> slow(view, link))
                                .toList()))
                .toList();
    }

    private static Slow slow(FabricView view, SlowLinks.SlowLink link) {
        int far = view.peerSwitch(link.s(), link.port());
        return new Slow(
                Guid.format(view.switchGuid(link.s())),
                view.switchName(link.s()),
                link.port(),
                Guid.format(view.switchGuid(far)),
                view.switchName(far),
                view.peerPort(link.s(), link.port()),
                link.rate().toString());
    }

    /** For people: a line that sums up, then one a link. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "%,d of %,d links between rank %d and %d %s slower than %s:",
                slower,
                links,
                lower,
                upper,
                slower == 1 ? "is" : "are",
                norm));
        for (Slow link : first) {
            lines.add("  " + (link.name.isEmpty() ? link.guid : link.name) + " port " + link.port + " – "
                    + (link.farName.isEmpty() ? link.farGuid : link.farName) + " port " + link.farPort + ": "
                    + link.rate);
        }
        if (slower > first.size()) {
            lines.add(String.format(Locale.ROOT, "  and %,d more", slower - first.size()));
        }
        return lines;
    }
}
