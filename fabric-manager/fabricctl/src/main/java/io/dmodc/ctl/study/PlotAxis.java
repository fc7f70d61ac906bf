package io.dmodc.ctl.study;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One axis of a plot: where values lie, 0 at its beginning and 1 at its end, and its ticks.
 *
 * @param logarithmic equal factors are equally far apart
 * @param ticks at round values, ascending
 */
record PlotAxis(String label, double min, double max, boolean logarithmic, List<Tick> ticks) {
    /** A value and what is written there. */
    record Tick(double value, String text) {}

    PlotAxis {
        ticks = List.copyOf(ticks);
    }

    /** From a round value to a round value around these. */
    static PlotAxis linear(String label, double min, double max) {
        double span = max > min ? max - min : Math.max(Math.abs(max), 1e-3);
        double raw = span / 5;
        double power = Math.pow(10, Math.floor(Math.log10(raw)));
        double step = power * (raw / power <= 1 ? 1 : raw / power <= 2 ? 2 : raw / power <= 5 ? 5 : 10);
        long first = (long) Math.floor(min / step + 1e-9);
        long last = Math.max(first + 1, (long) Math.ceil(max / step - 1e-9));
        int digits = Math.max(0, (int) Math.ceil(-Math.log10(step) - 1e-9));
        List<Tick> ticks = new ArrayList<>();
        for (long i = first; i <= last; i++) {
            ticks.add(new Tick(i * step, String.format(Locale.ROOT, "%." + digits + "f", i * step)));
        }
        return new PlotAxis(label, first * step, last * step, false, ticks);
    }

    /** Powers of ten around positive values; 1, 2 and 5 of each if there are only few. */
    static PlotAxis logarithmic(String label, double min, double max) {
        double low = Math.log10(min);
        double high = Math.log10(max);
        if (high - low <= 2.5) {
            return decades(label, min, max);
        }
        int first = (int) Math.floor(low);
        int last = Math.max(first + 1, (int) Math.ceil(high));
        int step = Math.max(1, (last - first + 7) / 8);
        List<Tick> ticks = new ArrayList<>();
        for (int power = first; power <= last; power += step) {
            ticks.add(new Tick(Math.pow(10, power), "1e" + power));
        }
        return new PlotAxis(label, Math.pow(10, first), Math.pow(10, last), true, ticks);
    }

    private static PlotAxis decades(String label, double min, double max) {
        List<Tick> ticks = new ArrayList<>();
        int last = (int) Math.floor(Math.log10(max)) + 1;
        for (int power = (int) Math.floor(Math.log10(min)); power <= last; power++) {
            for (int digit : new int[] {1, 2, 5}) {
                double value = digit * Math.pow(10, power);
                ticks.add(new Tick(value, String.format(Locale.ROOT, value >= 1 ? "%.0f" : "%.2g", value)));
            }
        }
        while (ticks.size() > 2 && ticks.get(1).value <= min) {
            ticks.remove(0);
        }
        while (ticks.size() > 2 && ticks.get(ticks.size() - 2).value >= max) {
            ticks.remove(ticks.size() - 1);
        }
        return new PlotAxis(label, ticks.get(0).value, ticks.get(ticks.size() - 1).value, true, ticks);
    }

    /** Numbered 0, 1, … with room at both ends and nothing written: a legend says what they are. */
    static PlotAxis categories(String label, int count) {
        return new PlotAxis(label, -0.6, count - 0.4, false, List.of());
    }

    /** Where a value lies. */
    double at(double value) {
        return logarithmic
                ? (Math.log(value) - Math.log(min)) / (Math.log(max) - Math.log(min))
                : (value - min) / (max - min);
    }
}
