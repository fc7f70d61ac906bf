package io.dmodc.topology.rates;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Width and speed of a link as InfiniBand tools write them, {@code 4xEDR}; ordered by how much it carries.
 *
 * @param lanes 1, 2, 4, 8 or 12
 * @param speed of each lane
 */
public record LinkRate(int lanes, Speed speed) implements Comparable<LinkRate> {
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
        if (!WIDTHS.contains(lanes)) {
            throw new IllegalArgumentException("a link of " + lanes + " lanes; expected one of " + WIDTHS);
        }
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

    /** What it carries in one direction, in Mbit/s. */
    public int megabits() {
        return lanes * speed.megabits;
    }

    /** The slower one first; of two that carry the same, the one with fewer lanes. */
    @Override
    public int compareTo(LinkRate other) {
        return Comparator.comparingInt(LinkRate::megabits)
                .thenComparingInt(LinkRate::lanes)
                .compare(this, other);
    }

    @Override
    public String toString() {
        return lanes + "x" + speed;
    }
}
