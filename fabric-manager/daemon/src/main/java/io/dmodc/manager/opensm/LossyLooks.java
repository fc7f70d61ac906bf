package io.dmodc.manager.opensm;

import org.jspecify.annotations.Nullable;

/**
 * Looks at the whole fabric in a row that each complained and lacked something that was there: of what packets get lost on the way, {@code ibnetdiscover} prints the rest.
 * What is in any of them is there. What none of them shows is gone once two in a row show the same, or {@value #LOOKS} looked; of much that is gone, once a further one shows nothing more. So what works is
 * not taken away by looks that contradict each other, and what is gone is gone after so many. For one thread.
 */
final class LossyLooks {
    static final int LOOKS = 3;

    private @Nullable Discovery last;
    private @Nullable Discovery together;
    private int count;
    private long begunNanos;

    /**
     * Takes a look that complains and lacks something that is believed.
     *
     * @param begun when it began
     * @return what all of them show together, once that counts; null before
     */
    @Nullable
    Discovery take(Discovery found, Discovery before, long begun) {
        Discovery then = together;
        Discovery now = then == null ? found : found.withAlso(then);
        boolean agree = last != null && found.sameCabling(last);
        boolean isAll = then != null && now.sameCabling(then);
        begunNanos = then == null ? begun : begunNanos;
        last = found;
        together = now;
        count++;
        boolean counts = count >= LOOKS && (isAll || !now.lacksMuchOf(before));
        return agree || counts || !now.lacksSomeOf(before) ? now : null;
    }

    /** True if so many have looked that it is no packet or two. */
    boolean areMany() {
        return count >= LOOKS;
    }

    /** When the first of them began. */
    long begunNanos() {
        return begunNanos;
    }

    /** The next one is the first. */
    void clear() {
        last = null;
        together = null;
        count = 0;
    }
}
