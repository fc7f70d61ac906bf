package io.dmodc.ctl.client;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Rows under a header, aligned: numbers to the right, words to the left, nothing behind the last column. */
public final class TextTable {
    private static final String GAP = "  ";

    /** With its unit, if it has one; or the dash that stands for a missing one. */
    private static final Pattern NUMBER = Pattern.compile("<?[0-9.]*( (ms|s))?|–");

    private final List<String[]> rows = new ArrayList<>();

    public TextTable(String... header) {
        rows.add(header);
    }

    /** One cell a column of the header. */
    public void row(Object... cells) {
        String[] row = new String[cells.length];
        for (int i = 0; i < cells.length; i++) {
            row[i] = String.valueOf(cells[i]);
        }
        if (row.length != rows.get(0).length) {
            throw new IllegalArgumentException(row.length + " cells, expected " + rows.get(0).length);
        }
        rows.add(row);
    }

    public void print(PrintWriter out) {
        int[] width = new int[rows.get(0).length];
        boolean[] numbers = new boolean[width.length];
        for (int i = 0; i < width.length; i++) {
            numbers[i] = rows.size() > 1;
            for (String[] row : rows) {
                width[i] = Math.max(width[i], row[i].codePointCount(0, row[i].length()));
                numbers[i] &= row == rows.get(0) || NUMBER.matcher(row[i]).matches();
            }
        }
        rows.forEach(row -> out.println(line(row, width, numbers).stripTrailing()));
    }

    private static String line(String[] row, int[] width, boolean[] numbers) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < row.length; i++) {
            String padding = " ".repeat(width[i] - row[i].codePointCount(0, row[i].length()));
            line.append(i == 0 ? "" : GAP);
            line.append(numbers[i] ? padding + row[i] : row[i] + padding);
        }
        return line.toString();
    }
}
