package io.dmodc.southbound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ListEditTest {
    private static final int MAX = 100;

    private static ListEdit<Integer> between(List<Integer> base, List<Integer> next) {
        return ListEdit.between(base, next, element -> false);
    }

    @Test
    void shouldTellAJoinWithoutNamingWhatComesAfterIt() {
        ListEdit<Integer> edit = between(List.of(1, 2, 3, 4), List.of(1, 9, 2, 3, 4));

        assertThat(edit.script()).containsExactly(1, 0, 1);
        assertThat(edit.inserted()).containsExactly(9);
    }

    @Test
    void shouldTellALossAMoveAndAnEnd() {
        assertThat(between(List.of(1, 2, 3, 4), List.of(1, 3, 4)).script()).containsExactly(1, 1, 0);
        assertThat(between(List.of(1, 2, 3, 4), List.of(2, 3, 1, 4)).script()).containsExactly(0, 1, 0, 2, 0, 1);
        assertThat(between(List.of(1, 2, 3, 4), List.of(1, 2)).script()).containsExactly(2, 2, 0);
        assertThat(between(List.of(1, 2), List.of(1, 2, 3)).script()).containsExactly(2, 0, 1);
        assertThat(between(List.of(1, 2), List.of(1, 2)).script()).isEmpty();
        assertThat(between(List.of(), List.of(1, 2)).script()).containsExactly(0, 0, 2);
    }

    @Test
    void shouldInsertAgainWhatMustBeToldAnew() {
        ListEdit<Integer> edit = ListEdit.between(List.of(1, 2, 3), List.of(1, 2, 3), element -> element == 2);

        assertThat(edit.script()).containsExactly(1, 1, 1);
        assertThat(edit.inserted()).containsExactly(2);
        assertThat(edit.apply(List.of(1, 2, 3), MAX)).containsExactly(1, 2, 3);
    }

    /** The slow twin finds the most elements that can be kept by trying all pairs. */
    @Test
    void shouldKeepAsManyAsPossibleAndGiveBackWhatWasMeant() {
        long seed = 20_260_301;
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int i = 0; i < 3000; i++) {
            List<Integer> base = some(random);
            List<Integer> next = some(random);

            ListEdit<Integer> edit = between(base, next);

            assertThat(edit.apply(base, MAX)).as("%s -> %s", base, next).isEqualTo(next);
            assertThat(next.size() - edit.inserted().size())
                    .as("%s -> %s", base, next)
                    .isEqualTo(mostKept(base, next));
        }
    }

    private static List<Integer> some(Random random) {
        List<Integer> all = new ArrayList<>(IntStream.range(0, 12).boxed().toList());
        Collections.shuffle(all, random);
        List<Integer> some = new ArrayList<>(all.subList(0, random.nextInt(13)));
        if (random.nextBoolean()) {
            Collections.sort(some);
        }
        return some;
    }

    private static int mostKept(List<Integer> base, List<Integer> next) {
        int[][] most = new int[base.size() + 1][next.size() + 1];
        for (int i = 1; i <= base.size(); i++) {
            for (int j = 1; j <= next.size(); j++) {
                most[i][j] = base.get(i - 1).equals(next.get(j - 1))
                        ? most[i - 1][j - 1] + 1
                        : Math.max(most[i - 1][j], most[i][j - 1]);
            }
        }
        return most[base.size()][next.size()];
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 0          | edit of 2 numbers; expected threes",
                "4 0 1        | edit, number 0: 4 members to keep, more than the 3 left",
                "-1 0 1       | edit, number 0: 4294967295 members to keep, more than the 3 left",
                "2 2 1        | edit, number 1: 2 members to leave out, more than the 1 left",
                "0 0 2        | edit, number 2: 2 members to insert, more than the 1 left",
                "0 0 1 1 0 1  | edit, number 5: 1 members to insert, more than the 0 left",
                "1 1 0        | edit inserts 0 members, but there are 1",
                "0 0 1        | edit makes 4 members, more than 3",
                "3 0 1        | edit makes 4 members, more than 3",
            })
    void shouldRefuseInOneLine(String script, String why) {
        List<Integer> numbers =
                List.of(script.split(" ")).stream().map(Integer::parseInt).toList();

        assertThatThrownBy(() -> new ListEdit<>(numbers, List.of(9)).apply(List.of(1, 2, 3), 3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(why);
    }
}
