package io.dmodc.ctl.study;

import java.util.List;

/** Points of one kind in a plot. */
record PlotSeries(String label, List<Point> points) {
    /** A value and between what it varies. */
    record Point(double x, double y, double low, double high) {}

    PlotSeries {
        points = List.copyOf(points);
    }
}
