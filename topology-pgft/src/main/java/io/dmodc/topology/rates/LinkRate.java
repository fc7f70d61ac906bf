package io.dmodc.topology.rates;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Width and speed of a link as InfiniBand tools write them, {@code 4xEDR}; ordered by how much it carries.
 *
 * @param lanes 1, 2, 4, 8 or 12
 * @param speed of each lane
 */
public record LinkRate(int lanes, Speed speed) implements Comparable<LinkRate> {
    private static final List<Integer> WIDTHS = List.of(1, 2, 4, 8, 12);

    private static final Pattern TEXT = Pattern.compile("\\b(\\d{1,2})x([A-Z]{3}\\d{0,2})\\b");

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

        private static Optional<Speed> named(String name) {
            for (Speed speed : values()) {
                if (speed.name().equals(name)) {
                    return Optional.of(speed);
                }
            }
            return Optional.empty();
        }
    }

    public LinkRate {
        if (!WIDTHS.contains(lanes)) {
            throw new IllegalArgumentException("a link of " + lanes + " lanes; expected one of " + WIDTHS);
        }
    }

    /** The first rate in a text; empty where there is none, or one that has no name, as {@code 4x???}. */
    public static Optional<LinkRate> in(String text) {
        Matcher found = TEXT.matcher(text);
        if (!found.find() || !WIDTHS.contains(Integer.parseInt(found.group(1)))) {
            return Optional.empty();
        }
        int lanes = Integer.parseInt(found.group(1));
        return Speed.named(found.group(2)).map(speed -> new LinkRate(lanes, speed));
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
