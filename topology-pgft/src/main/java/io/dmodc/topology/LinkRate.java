package io.dmodc.topology;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a link was trained to; ordered by how much it carries. An InfiniBand link is written as its tools do, {@code 4xEDR}, any other
 * one by what it carries, {@code 100 Gbit/s}.
 *
 * @param megabits what it carries in one direction, 1..{@value #MEGABITS_MAX} Mbit/s
 * @param lanes width of an InfiniBand link, at most {@value #LANES_MAX}; 0: not known, or another kind of link
 */
public record LinkRate(int megabits, int lanes) implements Comparable<LinkRate> {
    /** 100 Tbit/s. */
    public static final int MEGABITS_MAX = 100_000_000;

    public static final int LANES_MAX = 255;

    private static final List<Integer> WIDTHS = List.of(1, 2, 4, 8, 12);

    /** All there are, each once however many links have it. */
    private static final Map<String, LinkRate> BY_TEXT = new HashMap<>();

    static {
        for (Speed speed : Speed.values()) {
            for (int lanes : WIDTHS) {
                LinkRate rate = new LinkRate(lanes, speed);
                BY_TEXT.put(rate.toString(), rate);
            }
        }
    }

    /** What a lane carries after its line code (InfiniBand's speeds; 8b/10b up to QDR, 64b/66b from FDR10 on). */
    public enum Speed {
        SDR(2_000),
        DDR(4_000),
        QDR(8_000),
        FDR10(10_000),
        FDR(13_636),
        EDR(25_000),
        HDR(50_000),
        NDR(100_000),
        XDR(200_000);

        private final int megabits;

        Speed(int megabits) {
            this.megabits = megabits;
        }
    }

    public LinkRate {
        if (megabits < 1 || megabits > MEGABITS_MAX) {
            throw new IllegalArgumentException("a link of " + megabits + " Mbit/s; expected 1.." + MEGABITS_MAX);
        }
        if (lanes < 0 || lanes > LANES_MAX) {
            throw new IllegalArgumentException("a link of " + lanes + " lanes; expected 0.." + LANES_MAX);
        }
    }

    /**
     * An InfiniBand link.
     *
     * @param lanes 1, 2, 4, 8 or 12
     * @param speed of each lane
     */
    public LinkRate(int lanes, Speed speed) {
        this(widthChecked(lanes) * speed.megabits, lanes);
    }

    private static int widthChecked(int lanes) {
        if (!WIDTHS.contains(lanes)) {
            throw new IllegalArgumentException("a link of " + lanes + " lanes; expected one of " + WIDTHS);
        }
        return lanes;
    }

    /**
     * One that somebody told, as far as it can be.
     *
     * @param megabits below 1: not known
     * @return {@code null} if it is not known
     */
    public static @Nullable LinkRate ofMegabits(long megabits) {
        return megabits < 1 || megabits > MEGABITS_MAX ? null : new LinkRate((int) megabits, 0);
    }

    /** The first word of a text that is a rate; empty where there is none, or one that has no name, as {@code 4x???}. */
    public static Optional<LinkRate> in(String text) {
        LinkRate rate = null;
        int end = 0;
        while (rate == null && end < text.length()) {
            int start = end;
            while (end < text.length() && text.charAt(end) > ' ') {
                end++;
            }
            rate = end > start + 2 && text.charAt(start) > '0' && text.charAt(start) <= '9'
                    ? BY_TEXT.get(text.substring(start, end))
                    : null;
            end++;
        }
        return Optional.ofNullable(rate);
    }

    /** The rate of a cable by what its ends say, of which one is enough: the slower one; {@code null} if neither says any. */
    public static @Nullable LinkRate slower(@Nullable LinkRate near, @Nullable LinkRate far) {
        return near == null || (far != null && far.compareTo(near) < 0) ? far : near;
    }

    /** The slower one first; of two that carry the same, the one with fewer lanes. */
    @Override
    public int compareTo(LinkRate other) {
        int byMegabits = Integer.compare(megabits, other.megabits);
        return byMegabits != 0 ? byMegabits : Integer.compare(lanes, other.lanes);
    }

    // Written out: what the JVM makes for a record is method handles, for which it writes classes at each start.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LinkRate it && it.megabits == megabits && it.lanes == lanes;
    }

    @Override
    public int hashCode() {
        return 31 * megabits + lanes;
    }

    @Override
    public String toString() {
        for (Speed speed : Speed.values()) {
            if (WIDTHS.contains(lanes) && lanes * speed.megabits == megabits) {
                return lanes + "x" + speed;
            }
        }
        return megabits % 1_000 == 0 ? megabits / 1_000 + " Gbit/s" : megabits + " Mbit/s";
    }
}
