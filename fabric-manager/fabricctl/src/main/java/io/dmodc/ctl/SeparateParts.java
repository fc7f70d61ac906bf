package io.dmodc.ctl;

import io.dmodc.topology.FabricParts;
import io.dmodc.topology.FabricView;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Says in what parts a fabric falls that were never cabled together: rails, or several fabrics in one file. */
final class SeparateParts {
    private static final int LISTED_MAX = 10;

    private SeparateParts() {}

    /** Switches of each part; {@code null} where there is one, as it should be. */
    static @Nullable List<Integer> sizes(FabricView view) {
        return view.partCount() < 2
                ? null
                : Arrays.stream(FabricParts.sizes(view)).boxed().toList();
    }

    static String text(List<Integer> sizes) {
        String listed = sizes.stream()
                .limit(LISTED_MAX)
                .map(size -> String.format(Locale.ROOT, "%,d", size))
                .collect(Collectors.joining(" + "));
        return String.format(Locale.ROOT, "%,d separate parts, never cabled together: ", sizes.size())
                + listed
                + (sizes.size() > LISTED_MAX ? " + … switches" : " switches");
    }
}
