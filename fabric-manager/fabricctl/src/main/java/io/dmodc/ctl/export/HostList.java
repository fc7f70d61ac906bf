package io.dmodc.ctl.export;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names as Slurm shortens them: {@code node[08-11,17],login}. A row of numbers has one width if it starts with a zero,
 * else it is written without zeros. Names without a number at the end, or with one of more than nine digits, stay as
 * they are.
 */
final class HostList {
    private static final Pattern NUMBERED = Pattern.compile("(.*?)(\\d{1,9})");

    /** Numbers of one prefix: by width, 0 for those written without zeros. */
    private final Map<String, Map<Integer, TreeSet<Integer>>> numbers = new TreeMap<>();

    private final TreeSet<String> plain = new TreeSet<>();

    private HostList(Collection<String> names) {
        List<Matcher> unpadded = new ArrayList<>();
        for (String name : names) {
            Matcher numbered = NUMBERED.matcher(name);
            if (!numbered.matches() || endsInDigit(numbered.group(1))) {
                plain.add(name);
            } else if (numbered.group(2).length() > 1 && numbered.group(2).charAt(0) == '0') {
                put(numbered, numbered.group(2).length());
            } else {
                unpadded.add(numbered);
            }
        }
        unpadded.forEach(this::putUnpadded);
    }

    /** The shortest text for these names that Slurm takes apart into exactly these. */
    static String of(Collection<String> names) {
        return new HostList(names).text();
    }

    private static boolean endsInDigit(String text) {
        return !text.isEmpty() && Character.isDigit(text.charAt(text.length() - 1));
    }

    private void put(Matcher numbered, int width) {
        numbers.computeIfAbsent(numbered.group(1), prefix -> new TreeMap<>())
                .computeIfAbsent(width, w -> new TreeSet<>())
                .add(Integer.parseInt(numbered.group(2)));
    }

    /** 10 belongs to 08 and 09 where these are. */
    private void putUnpadded(Matcher numbered) {
        int width = numbered.group(2).length();
        boolean padded = numbers.getOrDefault(numbered.group(1), Map.of()).containsKey(width);
        put(numbered, padded ? width : 0);
    }

    private String text() {
        List<String> parts = new ArrayList<>();
        numbers.forEach((prefix, widths) -> {
            List<String> ranges = new ArrayList<>();
            widths.forEach((width, row) -> ranges.addAll(ranges(row, width)));
            boolean single = ranges.size() == 1 && !ranges.get(0).contains("-");
            parts.add(prefix + (single ? ranges.get(0) : "[" + String.join(",", ranges) + "]"));
        });
        parts.addAll(plain);
        return String.join(",", parts);
    }

    private static List<String> ranges(NavigableSet<Integer> row, int width) {
        List<String> ranges = new ArrayList<>();
        int from = row.first();
        int last = from;
        for (int number : row.tailSet(from, false)) {
            if (number != last + 1) {
                ranges.add(range(from, last, width));
                from = number;
            }
            last = number;
        }
        ranges.add(range(from, last, width));
        return ranges;
    }

    private static String range(int from, int to, int width) {
        String low = padded(from, width);
        return from == to ? low : low + "-" + padded(to, width);
    }

    private static String padded(int number, int width) {
        String digits = Integer.toString(number);
        return "0".repeat(Math.max(0, width - digits.length())) + digits;
    }
}
