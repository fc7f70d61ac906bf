package io.dmodc.topology;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * GUIDs with a non-negative number each, as kept in a text file: node indices, and levels of switches.
 *
 * <p>The text form is one {@code guid number} a line; {@code #} starts a comment. Not thread-safe.
 */
public final class GuidNumbers {
    /** Highest level a switch may be said to have: more than any fat-tree, few enough for a bit set of ranks. */
    public static final int LEVEL_MAX = 31;

    private final Map<Long, Integer> numbers = new LinkedHashMap<>();
    private long version;

    /**
     * Reads levels of switches, 0..{@link #LEVEL_MAX}.
     *
     * @param source file name for messages
     * @throws IllegalArgumentException in one line: source, line number, what was expected
     */
    public static GuidNumbers parse(String source, List<String> lines) {
        return parse(source, lines, LEVEL_MAX);
    }

    /**
     * Reads the text form.
     *
     * @param source file name for messages
     * @param numberMax highest number allowed
     * @throws IllegalArgumentException in one line: source, line number, what was expected
     */
    public static GuidNumbers parse(String source, List<String> lines, int numberMax) {
        GuidNumbers result = new GuidNumbers();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                result.parseLine(source + ":" + (i + 1) + ": ", line, numberMax);
            }
        }
        return result;
    }

    private void parseLine(String where, String line, int numberMax) {
        String[] words = line.split("\\s+");
        if (words.length != 2) {
            throw new IllegalArgumentException(where + "'" + shorten(line) + "'; expected 'guid number'");
        }
        long guid;
        int number;
        try {
            guid = Guid.parse(words[0]);
            number = Integer.parseInt(words[1]);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(where + "'" + shorten(line) + "'; expected 'guid number'", e);
        }
        if (number < 0) {
            throw new IllegalArgumentException(where + "number " + number + " is negative");
        }
        if (number > numberMax) {
            throw new IllegalArgumentException(where + "number " + number + "; expected 0.." + numberMax);
        }
        if (numbers.putIfAbsent(guid, number) != null) {
            throw new IllegalArgumentException(where + "GUID " + Guid.format(guid) + " a second time");
        }
    }

    private static String shorten(String line) {
        return line.length() <= 60 ? line : line.substring(0, 60) + "…";
    }

    /** Writes the text form. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>(numbers.size());
        numbers.forEach((guid, number) -> lines.add(Guid.format(guid) + " " + number));
        return lines;
    }

    public void put(long guid, int number) {
        version++;
        numbers.put(guid, number);
    }

    public void remove(long guid) {
        version++;
        numbers.remove(guid);
    }

    /** Grows whenever a number may have changed. */
    long version() {
        return version;
    }

    public OptionalInt get(long guid) {
        Integer number = numbers.get(guid);
        return number == null ? OptionalInt.empty() : OptionalInt.of(number);
    }

    /** The number of a GUID, or {@code absent}. */
    public int getOrDefault(long guid, int absent) {
        Integer number = numbers.get(guid);
        return number == null ? absent : number;
    }

    public int size() {
        return numbers.size();
    }

    /** Visits all entries in the order they were put. */
    public void forEach(Visitor visitor) {
        numbers.forEach(visitor::visit);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof GuidNumbers that && that.numbers.equals(numbers);
    }

    @Override
    public int hashCode() {
        return numbers.hashCode();
    }

    @Override
    public String toString() {
        return lines().toString();
    }

    /** Receives one entry. */
    public interface Visitor {
        void visit(long guid, int number);
    }
}
