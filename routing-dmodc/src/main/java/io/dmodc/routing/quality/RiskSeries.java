package io.dmodc.routing.quality;

import java.util.Arrays;

/** The risk of some ports, the highest of them, in each pattern of a row of patterns. Immutable. */
public final class RiskSeries {
    private final int[] risk;

    /** Takes the array over. */
    RiskSeries(int[] risk) {
        this.risk = risk;
    }

    /** How many patterns there are. */
    public int size() {
        return risk.length;
    }

    /** Risk in pattern {@code i}, counted from 0. */
    public int get(int i) {
        return risk[i];
    }

    /** 0 where there is no pattern. */
    public int max() {
        return Arrays.stream(risk).max().orElse(0);
    }

    /** 0 where there is no pattern. */
    public double mean() {
        return Arrays.stream(risk).average().orElse(0);
    }

    /** The lower of two middle values, so that it is a risk that occurred; 0 where there is no pattern. */
    public int median() {
        int[] sorted = risk.clone();
        Arrays.sort(sorted);
        return sorted.length == 0 ? 0 : sorted[(sorted.length - 1) / 2];
    }

    /** The first pattern with the highest risk, −1 where there is none. */
    public int worst() {
        int worst = -1;
        for (int i = 0; i < risk.length; i++) {
            worst = worst < 0 || risk[i] > risk[worst] ? i : worst;
        }
        return worst;
    }
}
