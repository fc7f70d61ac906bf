package io.dmodc.routing.vtftr.check;

import io.dmodc.routing.vtftr.GridFabric;
import io.dmodc.routing.vtftr.SpareMode;
import io.dmodc.routing.vtftr.TurnDumpWriter;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;

/** The engine's tables of a grid as text, and what is read of text. */
final class Dumps {
    private Dumps() {}

    static TurnDump of(GridFabric fabric, SpareMode mode) {
        return read(text(fabric, mode));
    }

    static String text(GridFabric fabric, SpareMode mode) {
        StringBuilder text = new StringBuilder();
        try {
            TurnDumpWriter.write(fabric.tables(mode), List.of(), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    static TurnDump read(String text) {
        try {
            return TurnDumpReader.read("dump", new StringReader(text));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The entry of all roots of a line for a leaf; there must be one. */
    static RootEntry entry(TurnDump dump, Axis axis, int line, int row, int column) {
        return Objects.requireNonNull(dump.roots(axis).entry(axis, line, RootTables.EVERY, row, column));
    }
}
