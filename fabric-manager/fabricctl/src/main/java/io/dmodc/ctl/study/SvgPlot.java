package io.dmodc.ctl.study;

import io.dmodc.ctl.study.PlotSeries.Point;
import java.util.List;
import java.util.Locale;

/**
 * Draws panels side by side under one title, with one legend and one note below: SVG that needs nothing from elsewhere.
 *
 * <p>The i-th series of each panel is drawn alike: a colour that people who see few of them tell apart (M. Okabe, K. Ito,
 * <i>Color Universal Design</i>, 2008), a dash and a mark of its own, so that it can also be printed in grey. Whiskers are
 * from low to high.
 */
final class SvgPlot {
    private static final String[] COLOURS = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000", "#e69f00"};
    private static final String[] DASHES = {"", "7 3", "2 3", "9 3 2 3", "5 2", "1 2"};
    private static final int PANEL_WIDTH = 340;
    /** Of a panel that is alone. */
    private static final int WIDE = 640;

    private static final int PANEL_HEIGHT = 290;
    private static final int LEFT = 64;
    private static final int RIGHT = 18;
    private static final int TOP = 78;
    private static final int BELOW = 54;
    private static final int LEGEND_LINE = 20;
    private static final double MARK = 4.2;

    private final StringBuilder out = new StringBuilder();

    private final int panelWidth;

    private SvgPlot(int panelWidth) {
        this.panelWidth = panelWidth;
    }

    /** A plot of its own; lines join its points unless {@code x} counts categories. */
    record Panel(String title, PlotAxis x, PlotAxis y, boolean joined, List<PlotSeries> series) {}

    /** Draws panels; the legend is of the first one's series. */
    static String draw(String title, String note, List<Panel> panels) {
        int panelWidth = panels.size() == 1 ? WIDE : PANEL_WIDTH;
        SvgPlot plot = new SvgPlot(panelWidth);
        int each = LEFT + panelWidth + RIGHT;
        int width = panels.size() * each;
        List<PlotSeries> legend = panels.get(0).series;
        int columns = panels.size() == 1 ? 2 : panels.size();
        int rows = (legend.size() + columns - 1) / columns;
        int height = TOP + PANEL_HEIGHT + BELOW + rows * LEGEND_LINE + 34;
        plot.open(width, height);
        plot.text(width / 2.0, 28, "middle", 17, "bold", title);
        for (int i = 0; i < panels.size(); i++) {
            plot.panel(panels.get(i), i * each + LEFT);
        }
        int below = TOP + PANEL_HEIGHT + BELOW + 12;
        for (int i = 0; i < legend.size(); i++) {
            int left = LEFT + i % columns * ((width - LEFT) / columns);
            plot.legend(
                    i, left, below + i / columns * LEGEND_LINE, legend.get(i).label());
        }
        plot.text(LEFT, below + rows * LEGEND_LINE + 8, "start", 11, "normal", note);
        return plot.out.append("</svg>\n").toString();
    }

    private void open(int width, int height) {
        out.append(format(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\""
                        + " font-family=\"Helvetica, Arial, 'DejaVu Sans', sans-serif\">\n",
                width, height, width, height));
        out.append(format("<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n", width, height));
    }

    private void panel(Panel panel, int left) {
        text(left + panelWidth / 2.0, TOP - 14, "middle", 13, "normal", panel.title);
        for (PlotAxis.Tick tick : panel.y.ticks()) {
            double y = y(panel, tick.value());
            line(left, y, left + panelWidth, y, "#dddddd", "");
            text(left - 7, y + 4, "end", 11, "normal", tick.text());
        }
        for (PlotAxis.Tick tick : panel.x.ticks()) {
            double x = left + panelWidth * panel.x.at(tick.value());
            line(x, TOP, x, TOP + PANEL_HEIGHT, "#eeeeee", "");
            line(x, TOP + PANEL_HEIGHT, x, TOP + PANEL_HEIGHT + 5, "#333333", "");
            text(x, TOP + PANEL_HEIGHT + 18, "middle", 11, "normal", tick.text());
        }
        out.append(format(
                "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#333333\"/>\n",
                left, TOP, panelWidth, PANEL_HEIGHT));
        text(left + panelWidth / 2.0, TOP + PANEL_HEIGHT + 38, "middle", 12, "normal", panel.x.label());
        double middle = TOP + PANEL_HEIGHT / 2.0;
        out.append(format("<g transform=\"rotate(-90 %.1f %.1f)\">", left - 48.0, middle));
        text(left - 48, middle, "middle", 12, "normal", panel.y.label());
        out.append("</g>\n");
        for (int i = 0; i < panel.series.size(); i++) {
            series(panel, left, i);
        }
    }

    private static double y(Panel panel, double value) {
        return TOP + PANEL_HEIGHT * (1 - panel.y.at(value));
    }

    private void series(Panel panel, int left, int i) {
        List<Point> points = panel.series.get(i).points();
        StringBuilder way = new StringBuilder();
        for (Point point : points) {
            way.append(format("%.1f,%.1f ", left + panelWidth * panel.x.at(point.x()), y(panel, point.y())));
        }
        if (panel.joined && points.size() > 1) {
            out.append(format(
                    "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.6\" stroke-dasharray=\"%s\"/>\n",
                    way.toString().strip(), colour(i), DASHES[i % DASHES.length]));
        }
        for (Point point : points) {
            double x = left + panelWidth * panel.x.at(point.x());
            if (point.high() > point.low()) {
                double low = y(panel, point.low());
                double high = y(panel, point.high());
                line(x, low, x, high, colour(i), "");
                line(x - 4, low, x + 4, low, colour(i), "");
                line(x - 4, high, x + 4, high, colour(i), "");
            }
            mark(i, x, y(panel, point.y()));
        }
    }

    private void legend(int i, double x, double y, String label) {
        line(x, y, x + 34, y, colour(i), DASHES[i % DASHES.length]);
        mark(i, x + 17, y);
        text(x + 42, y + 4, "start", 12, "normal", label);
    }

    private void mark(int i, double x, double y) {
        String style = format("fill=\"#ffffff\" stroke=\"%s\" stroke-width=\"1.5\"", colour(i));
        switch (i % 5) {
            case 0 -> out.append(format("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" %s/>\n", x, y, MARK, style));
            case 1 ->
                out.append(format(
                        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" %s/>\n",
                        x - MARK, y - MARK, 2 * MARK, 2 * MARK, style));
            case 2 -> polygon(style, x, y - 1.3 * MARK, x + 1.2 * MARK, y + MARK, x - 1.2 * MARK, y + MARK);
            case 3 -> polygon(style, x, y - 1.4 * MARK, x + 1.4 * MARK, y, x, y + 1.4 * MARK, x - 1.4 * MARK, y);
            default -> polygon(style, x, y + 1.3 * MARK, x + 1.2 * MARK, y - MARK, x - 1.2 * MARK, y - MARK);
        }
    }

    private void polygon(String style, double... corners) {
        StringBuilder points = new StringBuilder();
        for (int i = 0; i < corners.length; i += 2) {
            points.append(format("%.1f,%.1f ", corners[i], corners[i + 1]));
        }
        out.append(format("<polygon points=\"%s\" %s/>\n", points.toString().strip(), style));
    }

    private static String colour(int i) {
        return COLOURS[i % COLOURS.length];
    }

    private void line(double x1, double y1, double x2, double y2, String colour, String dash) {
        out.append(format(
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-dasharray=\"%s\"/>\n",
                x1, y1, x2, y2, colour, dash));
    }

    private void text(double x, double y, String anchor, int size, String weight, String text) {
        out.append(format(
                "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"%d\" font-weight=\"%s\">%s</text>\n",
                x, y, anchor, size, weight, text.replace("&", "&amp;").replace("<", "&lt;")));
    }

    private static String format(String format, Object... arguments) {
        return String.format(Locale.ROOT, format, arguments);
    }
}
