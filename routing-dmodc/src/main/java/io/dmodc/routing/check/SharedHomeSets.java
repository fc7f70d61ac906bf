package io.dmodc.routing.check;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What switches with the same neighbours on one side share: sets of homes, one for below, one for every rank above.
 *
 * <p>The sets are replaced, never written to once they are here, so a set that is the same object as before is the
 * same.
 */
final class SharedHomeSets {
    /** Numbers that tell sides apart. */
    static final class Key {
        private final int[] numbers;
        private final int hash;

        Key(int[] numbers) {
            this.numbers = numbers;
            this.hash = Arrays.hashCode(numbers);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Key that && hash == that.hash && Arrays.equals(numbers, that.numbers);
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }

    final Key key;

    /** Sides in order of their making: what is sorted by it has switches of one side together. */
    final int number;

    /** Switches there. */
    final int[] remotes;

    int members;

    long[][] sets = {};

    /** The update that last looked at the sets, and what they were before it. */
    private long stamp;

    private long[][] before = {};

    SharedHomeSets(Key key, int number, int[] remotes) {
        this.key = key;
        this.number = number;
        this.remotes = remotes;
    }

    boolean isDue(long update) {
        return stamp != update;
    }

    /** Sets that did not change keep their object, and so do those equal to the one below them. */
    void replace(long[][] now, long update) {
        before = sets;
        stamp = update;
        for (int i = 0; i < now.length; i++) {
            if (i < before.length && Arrays.equals(now[i], before[i])) {
                now[i] = before[i];
            } else if (i > 0 && Arrays.equals(now[i], now[i - 1])) {
                now[i] = now[i - 1];
            }
        }
        sets = now;
    }

    /** Word {@code w} of the last set, which holds the others; 0 if there is none. */
    long last(int w) {
        return sets.length == 0 ? 0 : sets[sets.length - 1][w];
    }

    long[][] setsBefore(long update) {
        return stamp == update ? before : sets;
    }
}
