package io.dmodc.settings.cli;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * What somebody may have meant who wrote a command or option that does not exist: the names with the fewest letters
 * added, left out, replaced or swapped with their neighbour, at most a third of the word; or those that begin like it.
 */
final class Suggestions {
    private static final int NAMED_MAX = 3;
    private static final int BEGINNING_LENGTH_MIN = 3;

    private Suggestions() {}

    /** Says that there is no such option or command, and which one it may be. */
    static String unknown(CommandLine line, String word) {
        CommandSpec spec = line.getCommandSpec();
        if (word.startsWith("-")) {
            String name = word.replaceFirst("=.*", "");
            return "unknown option '" + name + "'" + meant(near(name, options(spec)));
        }
        return spec.subcommands().isEmpty()
                ? "unexpected argument '" + word + "'"
                : "unknown command '" + word + "'" + meant(near(word, commands(spec)));
    }

    /** Commands that help shows. */
    static List<String> commands(CommandSpec spec) {
        return spec.subcommands().entrySet().stream()
                .filter(each -> !each.getValue().getCommandSpec().usageMessage().hidden())
                .map(Map.Entry::getKey)
                .toList();
    }

    private static List<String> options(CommandSpec spec) {
        return spec.options().stream()
                .filter(option -> !option.hidden())
                .map(OptionSpec::longestName)
                .toList();
    }

    private static String meant(List<String> names) {
        return names.isEmpty() ? "" : "; did you mean " + String.join(" or ", names) + "?";
    }

    /** The nearest names, in their order; none if all are too far. */
    static List<String> near(String word, Collection<String> names) {
        String lower = word.toLowerCase(Locale.ROOT);
        int limit = Math.max(1, stem(lower).length() / 3);
        int least = names.stream().mapToInt(name -> distance(lower, name)).min().orElse(Integer.MAX_VALUE);
        List<String> begun = stem(lower).length() < BEGINNING_LENGTH_MIN
                ? List.of()
                : names.stream().filter(name -> name.startsWith(lower)).toList();
        List<String> near = least <= limit
                ? names.stream().filter(name -> distance(lower, name) == least).toList()
                : begun;
        return near.stream().limit(NAMED_MAX).toList();
    }

    private static String stem(String word) {
        return word.replaceFirst("^-+", "");
    }

    /** Optimal string alignment, in a whole table: words are short. */
    static int distance(String a, String b) {
        int[][] steps = new int[a.length() + 1][b.length() + 1];
        Arrays.setAll(steps[0], j -> j);
        for (int i = 1; i <= a.length(); i++) {
            steps[i][0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = steps[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                steps[i][j] = Math.min(replaced, Math.min(steps[i - 1][j], steps[i][j - 1]) + 1);
                if (swapped(a, b, i, j)) {
                    steps[i][j] = Math.min(steps[i][j], steps[i - 2][j - 2] + 1);
                }
            }
        }
        return steps[a.length()][b.length()];
    }

    private static boolean swapped(String a, String b, int i, int j) {
        return i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
    }
}
