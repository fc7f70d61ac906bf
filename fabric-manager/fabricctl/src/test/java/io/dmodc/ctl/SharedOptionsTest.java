package io.dmodc.ctl;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which options commands have in common: what changes tables can be told wherever tables are made or judged, and in the same words. */
class SharedOptionsTest {
    private static final Pattern OPTION = Pattern.compile("(?<=^|[ \\[(|,])--[a-z-]+");

    /** How nodes, levels and groups are numbered. */
    private static final List<String> NUMBERING =
            List.of("--design", "--levels", "--node-map", "--node-types", "--group-order", "--plane-map");

    private static Set<String> options(String command) {
        return Ctl.run((Object[]) (command + " --help").split(" ")).out().stream()
                .flatMap(line -> OPTION.matcher(line).results())
                .map(found -> found.group())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @ParameterizedTest
    @CsvSource({
        "route,    --engine --roots --slow-links --fail-links --opensm",
        "quality,  --engine --roots --slow-links --fail-links --opensm --lft",
        "simulate, --engine --roots --slow-links --fail-links --opensm --lft",
        "what-if,  --engine --roots --slow-links --fail-links --opensm --fail",
        "explain,  --engine --roots --slow-links --fail-links --opensm --fail",
        "change,   --engine --roots --slow-links --opensm --from-lft --to-lft",
        "check,    --slow-links --fail-links --opensm --lft",
        "report,   --slow-links --fail-links --opensm --lft",
        "bench,    --fail-links --opensm"
    })
    void shouldTakeWhatChangesTables(String command, String own) {
        assertThat(options(command)).containsAll(NUMBERING).contains(own.split(" "));
    }
}
