package io.dmodc.mutants;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One change that takes the mend of a law out, and who must notice.
 *
 * @param law its number
 * @param file changed source, relative to the root of the checkout
 * @param oldText what stands there now, in one line
 * @param newText what is put in its place
 * @param test class and method, as {@code package.Class#method}
 * @param broken what it breaks in the simulator; {@code null}: no law there looks at it
 */
record LawMutant(
        int law,
        Path file,
        String oldText,
        String newText,
        String test,
        @Nullable BrokenLaw broken) {
    /**
     * A law of the simulator, and a history that breaks it.
     *
     * @param kind of the history, as {@link io.dmodc.simulator.BrokenLaws} names it
     */
    record BrokenLaw(String law, String kind, long seed) {}

    private static final List<String> WORDS = List.of("law", "file", "-", "+", "test", "simulator");

    /**
     * Reads mutants: blocks of lines {@code WORD VALUE} with empty lines between them; {@code #} begins a comment.
     *
     * @throws IllegalArgumentException in one line: file, line, what was expected
     */
    static List<LawMutant> read(Path list) throws IOException {
        List<LawMutant> mutants = new ArrayList<>();
        TreeMap<String, String> block = new TreeMap<>();
        List<String> lines = new ArrayList<>(Files.readAllLines(list));
        lines.add("");
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            String where = list.getFileName() + ":" + (i + 1) + ": ";
            if (line.isEmpty() && !block.isEmpty()) {
                mutants.add(of(where, block));
                block.clear();
            } else if (!line.isEmpty() && !line.startsWith("#")) {
                String word = line.split(" ", 2)[0];
                if (!WORDS.contains(word)
                        || block.put(word, line.substring(word.length()).strip()) != null) {
                    throw new IllegalArgumentException(where + "'" + line + "'; expected one of each of " + WORDS);
                }
            }
        }
        return mutants;
    }

    private static LawMutant of(String where, TreeMap<String, String> block) {
        for (String word : WORDS) {
            if (!block.containsKey(word) && !word.equals("simulator")) {
                throw new IllegalArgumentException(where + "nothing said of '" + word + "' above");
            }
        }
        return new LawMutant(
                Integer.parseInt(block.getOrDefault("law", "")),
                Path.of(block.getOrDefault("file", "")),
                block.getOrDefault("-", ""),
                block.getOrDefault("+", ""),
                block.getOrDefault("test", ""),
                broken(where, block.get("simulator")));
    }

    private static @Nullable BrokenLaw broken(String where, @Nullable String text) {
        if (text == null) {
            return null;
        }
        String[] words = text.split(" ");
        if (words.length != 3 || !words[2].matches("\\d{1,18}")) {
            throw new IllegalArgumentException(where + "'simulator " + text + "' above; expected LAW KIND SEED");
        }
        return new BrokenLaw(words[0], words[1], Long.parseLong(words[2]));
    }

    /**
     * The source with the change.
     *
     * @throws IllegalStateException when the old text does not stand there exactly once
     */
    String mutated(Path root) throws IOException {
        String source = Files.readString(root.resolve(file));
        int at = source.indexOf(oldText);
        if (at < 0 || source.indexOf(oldText, at + 1) >= 0) {
            throw new IllegalStateException("does not apply: " + file.getFileName()
                    + (at < 0 ? " has no '" : " has more than one '") + oldText + "'");
        }
        return source.substring(0, at) + newText + source.substring(at + oldText.length());
    }

    /** Directory of the module the file is in. */
    Path module() {
        String path = file.toString();
        return Path.of(path.substring(0, path.indexOf("/src/")));
    }

    /** For people: the file, what goes and what comes. */
    String text() {
        return file.getFileName() + ": " + oldText + " -> " + (newText.isEmpty() ? "(nothing)" : newText);
    }
}
