package io.dmodc.settings;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** Names of record components in the file. */
final class KeyNames {
    private KeyNames() {}

    static String of(RecordComponent component) {
        SettingsKey key = component.getAnnotation(SettingsKey.class);
        return key != null ? key.value() : kebab(component.getName());
    }

    static String all(Class<?> type) {
        return Arrays.stream(type.getRecordComponents()).map(KeyNames::of).collect(Collectors.joining(", "));
    }

    static String constant(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static String kebab(String camel) {
        return camel.replaceAll("([a-z0-9])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT);
    }
}
