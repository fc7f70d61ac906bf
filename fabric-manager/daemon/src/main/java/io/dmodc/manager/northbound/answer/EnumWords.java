package io.dmodc.manager.northbound.answer;

import java.util.Locale;

/** Enum constants as the words people read and type. */
public final class EnumWords {
    private EnumWords() {}

    /** {@code LINK_DOWN} as {@code link-down}. */
    public static String of(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
