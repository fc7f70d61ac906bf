package io.dmodc.southbound;

import com.google.protobuf.UnsafeByteOperations;
import io.dmodc.southbound.proto.PatternRuns;
import org.jspecify.annotations.Nullable;

/** A {@link Pattern} as a message: its list of ports, or another pattern's list without some. */
final class PatternRunsForm {
    private PatternRunsForm() {}

    static PatternRuns.Pattern listed(Pattern pattern) {
        return placed(pattern)
                .setPorts(UnsafeByteOperations.unsafeWrap(pattern.ports()))
                .build();
    }

    /** Returns the pattern in terms of another, or null when it is not that one without a few ports. */
    static PatternRuns.@Nullable Pattern derived(Pattern pattern, Pattern base, int number) {
        byte[] all = base.ports();
        byte[] kept = pattern.ports();
        int missing = all.length - kept.length;
        if (missing < 0 || missing >= kept.length) {
            return null;
        }
        PatternRuns.Pattern.Builder derived = placed(pattern).setBase(number);
        int gap = 0;
        for (int at = 0, next = 0; at < all.length; at++) {
            if (next < kept.length && all[at] == kept[next]) {
                next++;
                gap++;
            } else if (derived.getWithoutCount() < missing) {
                derived.addWithout(gap);
                gap = 0;
            } else {
                return null;
            }
        }
        return derived.build();
    }

    private static PatternRuns.Pattern.Builder placed(Pattern pattern) {
        return PatternRuns.Pattern.newBuilder()
                .setDivider(pattern.divider() == 1 ? 0 : pattern.divider())
                .setPhase(pattern.phase());
    }
}
