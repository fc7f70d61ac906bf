package io.dmodc.topology.design;

import io.dmodc.topology.pgft.PgftShape;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Seeded shapes of at most some hundred switches. */
final class RandomShapes {
    private static final int SWITCHES_MAX = 300;

    private RandomShapes() {}

    /** @param least lowest m and w above the leaves */
    static PgftShape next(Random random, int levels, int least, int most) {
        while (true) {
            PgftShape shape = PgftShape.parse(levels + ";" + numbers(random, levels, 1, 1, most) + ";1"
                    + (levels > 1 ? "," + numbers(random, levels - 1, least, least, most) : "") + ";1"
                    + (levels > 1 ? "," + numbers(random, levels - 1, 1, 1, 2) : ""));
            boolean enough = IntStream.rangeClosed(2, levels).allMatch(l -> shape.m(l) >= least);
            if (enough && shape.switchCount() <= SWITCHES_MAX) {
                return shape;
            }
        }
    }

    private static String numbers(Random random, int count, int first, int least, int most) {
        return IntStream.range(0, count)
                .map(i -> (i == 0 ? first : least) + random.nextInt(most - (i == 0 ? first : least) + 1))
                .mapToObj(Integer::toString)
                .collect(Collectors.joining(","));
    }
}
