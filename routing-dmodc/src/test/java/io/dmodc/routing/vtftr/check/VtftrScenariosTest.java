package io.dmodc.routing.vtftr.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.vtftr.GridFabric;
import io.dmodc.routing.vtftr.SpareMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Scenarios as text: a drawing behind "#", what is asked, and below each question the answer, behind "=".
 * {@code -Dscenarios.write} writes the answers anew, to be read in the difference.
 */
class VtftrScenariosTest {
    private static final Path DIRECTORY = Path.of("src/test/resources/vtftr");

    private int size;
    private SpareMode mode = SpareMode.PAPER;
    private String[] known = {};
    private String[] unannounced = {};

    @ParameterizedTest
    @ValueSource(strings = {"figure3.txt", "figure4.txt", "figure5.txt", "pairwise.txt"})
    void shouldAnswerAsWritten(String name) throws IOException {
        Path file = DIRECTORY.resolve(name);
        List<String> written = Files.readAllLines(file);
        List<String> answered = new ArrayList<>();
        for (String line : written) {
            if (!line.startsWith("=")) {
                answered.add(line);
                answer(line).forEach(answer -> answered.add("= " + answer));
            }
        }
        if (System.getProperty("scenarios.write") != null) {
            Files.write(file, answered);
        }
        assertThat(answered).isEqualTo(written);
    }

    private List<String> answer(String line) {
        String[] words = line.isEmpty() || line.startsWith("#") ? new String[] {"#"} : line.split(" ");
        switch (words[0]) {
            case "#" -> {
                return List.of();
            }
            case "grid" -> size = Integer.parseInt(words[1]);
            case "spares" -> mode = SpareMode.valueOf(words[1].toUpperCase(Locale.ROOT));
            case "known" -> known = rest(words);
            case "unannounced" -> unannounced = rest(words);
            case "packet" -> {
                return new PathList(dump(), leaf(words[1]), leaf(words[2])).paths;
            }
            case "root" -> {
                return entries(words[1].equals("row") ? Axis.X : Axis.Y, Integer.parseInt(words[2]));
            }
            default -> throw new AssertionError("no question: " + line);
        }
        return List.of();
    }

    private static String[] rest(String[] words) {
        return List.of(words).subList(1, words.length).toArray(new String[0]);
    }

    private int leaf(String name) {
        return (name.charAt(0) - '0') * size + name.charAt(1) - '0';
    }

    private TurnDump dump() {
        TurnDump dump = Dumps.of(GridFabric.square(size).without(known), mode);
        for (String leaf : unannounced) {
            dump.bursts.set(leaf(leaf));
        }
        return dump;
    }

    private List<String> entries(Axis axis, int line) {
        TurnDump dump = dump();
        List<String> entries = new ArrayList<>();
        for (int own = 0; own < size; own++) {
            RootEntry entry =
                    axis == Axis.X ? Dumps.entry(dump, axis, line, 0, own) : Dumps.entry(dump, axis, line, own, 0);
            entries.add((axis == Axis.X ? "column " : "row ") + own + ": "
                    + (entry.primary() < 0 ? "dead" : "primary " + entry.primary()) + ", spares " + entry.spares());
        }
        return entries;
    }
}
