package io.dmodc.settings;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A settings record as the YAML that would give it. */
final class Describer {
    private static final YAMLMapper YAML = YAMLMapper.builder()
            .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
            .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
            .disable(YAMLGenerator.Feature.SPLIT_LINES)
            .build();

    private Describer() {}

    static String describe(Record settings) {
        try {
            return YAML.writeValueAsString(section(settings));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("settings cannot be written", e);
        }
    }

    /** Keys with dots whose values differ, in the order of the record. */
    static List<String> differences(Record one, Record other) {
        List<String> keys = new ArrayList<>();
        compare("", section(one), section(other), keys);
        return keys;
    }

    private static void compare(
            String above, Map<String, @Nullable Object> one, Map<String, @Nullable Object> other, List<String> keys) {
        one.forEach((key, value) -> {
            Object beside = other.get(key);
            if (value instanceof Map && beside instanceof Map) {
                compare(above + key + ".", asSection(value), asSection(beside), keys);
            } else if (!Objects.equals(value, beside)) {
                keys.add(above + key);
            }
        });
    }

    @SuppressWarnings("unchecked") // made by section()
    private static Map<String, @Nullable Object> asSection(Object value) {
        return (Map<String, @Nullable Object>) value;
    }

    private static Map<String, @Nullable Object> section(Record settings) {
        Map<String, @Nullable Object> section = new LinkedHashMap<>();
        for (RecordComponent component : settings.getClass().getRecordComponents()) {
            Object value = Binder.get(component, settings);
            section.put(KeyNames.of(component), component.isAnnotationPresent(Hex.class) ? hex(value) : plain(value));
        }
        return section;
    }

    private static @Nullable Object hex(@Nullable Object value) {
        if (value instanceof List<?> list) {
            return list.stream().map(Describer::hex).toList();
        }
        return value instanceof Long number ? String.format("0x%016x", number) : value;
    }

    private static @Nullable Object plain(@Nullable Object value) {
        if (value instanceof Duration duration) {
            return DurationText.print(duration);
        }
        if (value instanceof Enum<?> constant) {
            return KeyNames.constant(constant);
        }
        if (value instanceof List<?> list) {
            return list.stream().map(Describer::plain).toList();
        }
        if (value instanceof Record record && !ScalarParser.handles(record.getClass())) {
            return section(record);
        }
        boolean native_ = value == null || value instanceof Number || value instanceof Boolean;
        return native_ ? value : String.valueOf(value);
    }
}
