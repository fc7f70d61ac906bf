package io.dmodc.routing.vtftr.check;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** Reads the text form {@code vtftr 1}, described in docs/algorithms/vtftr.md. */
public final class TurnDumpReader {
    /** Most rows, columns and roots of a line: ports of a switch. */
    private static final int LINE_MAX = 254;

    private static final int VC_MAX = 16;

    private final String name;
    private @Nullable TurnDump dump;
    private int lineNumber;
    private boolean headed;
    private String[] words = {};

    private TurnDumpReader(String name) {
        this.name = name;
    }

    /**
     * Reads one text to its end.
     *
     * @param name of the file, for messages
     * @throws IllegalArgumentException in one line: file, line, what is there and what was expected
     */
    public static TurnDump read(String name, Reader text) throws IOException {
        return new TurnDumpReader(name).readAll(new BufferedReader(text));
    }

    private TurnDump readAll(BufferedReader text) throws IOException {
        for (String line = text.readLine(); line != null; line = text.readLine()) {
            lineNumber++;
            String record = line.indexOf('#') < 0 ? line : line.substring(0, line.indexOf('#'));
            if (!record.isBlank()) {
                words = record.strip().split("\\s+");
                take();
            }
        }
        if (dump == null) {
            throw bad("the text ends", "the records 'vtftr 1' and 'grid ROWS COLUMNS'");
        }
        return dump;
    }

    private void take() {
        if (!headed) {
            if (words.length != 2 || !words[0].equals("vtftr") || !words[1].equals("1")) {
                throw bad("'" + String.join(" ", words) + "'", "'vtftr 1' as first record");
            }
            headed = true;
            return;
        }
        if (dump == null) {
            if (!words[0].equals("grid")) {
                throw bad("'" + words[0] + "'", "'grid ROWS COLUMNS' as second record");
            }
            count(3);
            dump = new TurnDump(number(1, 1, LINE_MAX), number(2, 1, LINE_MAX));
            return;
        }
        takeRecord(dump);
    }

    private void takeRecord(TurnDump to) {
        switch (words[0]) {
            case "vcs" -> {
                count(2);
                to.setVcCount(number(1, 1, VC_MAX));
            }
            case "fault" -> addLeaf(to, to.faults);
            case "burst" -> addLeaf(to, to.bursts);
            case "leaf" -> addTable(to, to.leaf);
            case "leafx" -> addTable(to, to.leafFromRow);
            case "leafy" -> addTable(to, to.leafFromColumn);
            case "rsw" -> addEntry(to, Axis.X);
            case "csw" -> addEntry(to, Axis.Y);
            case "vc" -> addVc(to);
            default -> throw bad("'" + words[0] + "'", "one of vcs, fault, burst, leaf, leafx, leafy, rsw, csw, vc");
        }
    }

    private void addLeaf(TurnDump to, BitSet leaves) {
        count(3);
        int leaf = place(to);
        if (leaves.get(leaf)) {
            throw bad(words[0] + " " + words[1] + " " + words[2], "each leaf once");
        }
        leaves.set(leaf);
    }

    private void addTable(TurnDump to, @Nullable String[] tables) {
        count(4);
        int leaf = place(to);
        if (tables[leaf] != null) {
            throw bad("a second table of leaf " + words[1] + " " + words[2], "one");
        }
        if (words[3].length() != to.leafCount()) {
            throw bad("a table of " + words[3].length() + " letters", to.leafCount() + ", one for each leaf");
        }
        for (int i = 0; i < words[3].length(); i++) {
            if ("LXY-".indexOf(words[3].charAt(i)) < 0) {
                throw bad("'" + words[3].charAt(i) + "' in a table", "L, X, Y or -");
            }
        }
        tables[leaf] = words[3];
    }

    private int place(TurnDump to) {
        return number(1, 0, to.rows - 1) * to.columns + number(2, 0, to.columns - 1);
    }

    private void addEntry(TurnDump to, Axis axis) {
        count(6);
        int lines = axis == Axis.X ? to.rows : to.columns;
        int places = axis == Axis.X ? to.columns : to.rows;
        int line = number(1, 0, lines - 1);
        int root = words[2].equals("*") ? RootTables.EVERY : number(2, 0, LINE_MAX - 1);
        String[] destination = words[3].split(",", -1);
        if (destination.length != 2) {
            throw bad("'" + words[3] + "'", "a destination ROW,COLUMN");
        }
        int row = axis == Axis.X && destination[0].equals("*")
                ? RootTables.EVERY
                : number(destination[0], 0, to.rows - 1);
        int column = axis == Axis.Y && destination[1].equals("*")
                ? RootTables.EVERY
                : number(destination[1], 0, to.columns - 1);
        int primary = words[4].equals("-") ? -1 : number(4, 0, places - 1);
        RootEntry entry = new RootEntry(primary, spares(places));
        if (!to.roots(axis).add(line, root, row, column, entry)) {
            throw bad("a second entry " + String.join(" ", words[0], words[1], words[2], words[3]), "one");
        }
    }

    private BitSet spares(int places) {
        BitSet spares = new BitSet();
        if (!words[5].equals("-")) {
            for (String word : words[5].split(",", -1)) {
                spares.set(number(word, 0, places - 1));
            }
        }
        return spares;
    }

    private void addVc(TurnDump to) {
        count(5);
        int from = words[1].length() == 1 ? "HXY".indexOf(words[1]) : -1;
        if (from < 0) {
            throw bad("'" + words[1] + "'", "H, X or Y");
        }
        if (!words[3].equals("X") && !words[3].equals("Y")) {
            throw bad("'" + words[3] + "'", "X or Y");
        }
        Axis axis = Axis.valueOf(words[3]);
        int channel = number(2, 0, from == 0 ? 0 : to.vcCount() - 1);
        if (!to.mapVc(from, channel, axis, number(4, 0, to.vcCount() - 1))) {
            throw bad("a second entry vc " + words[1] + " " + words[2] + " " + words[3], "one");
        }
    }

    private void count(int expected) {
        if (words.length != expected) {
            throw bad("'" + words[0] + "' with " + (words.length - 1) + " values", String.valueOf(expected - 1));
        }
    }

    private int number(int word, int least, int most) {
        return number(words[word], least, most);
    }

    private int number(String word, int least, int most) {
        if (word.matches("\\d{1,9}")) {
            int number = Integer.parseInt(word);
            if (number >= least && number <= most) {
                return number;
            }
        }
        throw bad("'" + word + "'", "a number in " + least + ".." + most);
    }

    private IllegalArgumentException bad(String found, String expected) {
        return new IllegalArgumentException(name + ":" + lineNumber + ": " + found + "; expected " + expected);
    }
}
