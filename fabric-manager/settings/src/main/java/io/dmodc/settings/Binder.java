package io.dmodc.settings;

import io.dmodc.settings.YamlNode.Mapping;
import io.dmodc.settings.YamlNode.Scalar;
import io.dmodc.settings.YamlNode.Sequence;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The tree of a file into a record: keys to components, missing ones from the defaults, every failure at its place. */
final class Binder {
    private Binder() {}

    /**
     * @param base where missing keys come from; null: {@code defaults()} of the record, or else every key is required
     * @param path dotted path of {@code section}, empty for the root
     */
    static <T> T record(Class<T> type, Mapping section, @Nullable Object base, String path) {
        rejectUnknown(type, section, path);
        Object defaults = base != null ? base : defaultsOf(type);
        RecordComponent[] components = type.getRecordComponents();
        @Nullable Object[] values = new @Nullable Object[components.length];
        for (int i = 0; i < components.length; i++) {
            values[i] = component(components[i], section, defaults, path);
        }
        return construct(type, components, values, section, path);
    }

    private static @Nullable Object component(
            RecordComponent component, Mapping section, @Nullable Object defaults, String path) {
        String key = KeyNames.of(component);
        YamlNode node = section.children().get(key);
        @Nullable Object fallback = defaults == null ? null : get(component, defaults);
        if (node != null && !(node instanceof Scalar scalar && scalar.empty())) {
            return value(
                    node,
                    component.getGenericType(),
                    component.isAnnotationPresent(Hex.class),
                    fallback,
                    join(path, key));
        }
        if (fallback == null && !optional(component)) {
            throw section.place().failure(join(path, key), "missing; expected " + expected(component.getType()));
        }
        return fallback;
    }

    private static Object value(YamlNode node, Type type, boolean hex, @Nullable Object base, String path) {
        Class<?> raw = (Class<?>) (type instanceof ParameterizedType generic ? generic.getRawType() : type);
        if (node instanceof Scalar scalar && ScalarParser.handles(raw)) {
            try {
                return ScalarParser.parse(scalar.text(), raw, hex);
            } catch (IllegalArgumentException e) {
                throw node.place().failure(path, String.valueOf(e.getMessage()));
            }
        }
        if (node instanceof Sequence sequence && type instanceof ParameterizedType list && raw == List.class) {
            return items(sequence, list.getActualTypeArguments()[0], hex, path);
        }
        if (node instanceof Mapping section && raw.isRecord() && !ScalarParser.handles(raw)) {
            return record(raw, section, base, path);
        }
        throw node.place().failure(path, node.kind() + " is not " + expected(raw));
    }

    private static List<Object> items(Sequence sequence, Type type, boolean hex, String path) {
        List<Object> items = new ArrayList<>();
        for (YamlNode item : sequence.items()) {
            items.add(value(item, type, hex, null, path + "[" + items.size() + "]"));
        }
        return List.copyOf(items);
    }

    private static String expected(Class<?> type) {
        if (ScalarParser.handles(type)) {
            return "a single value";
        }
        return type == List.class ? "a list" : "a section with " + KeyNames.all(type);
    }

    private static void rejectUnknown(Class<?> type, Mapping section, String path) {
        List<String> known =
                Arrays.stream(type.getRecordComponents()).map(KeyNames::of).toList();
        section.children().forEach((key, node) -> {
            if (!known.contains(key)) {
                throw node.place().failure(join(path, key), "unknown key; expected one of " + KeyNames.all(type));
            }
        });
    }

    private static <T> T construct(
            Class<T> type, RecordComponent[] components, @Nullable Object[] values, Mapping section, String path) {
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            Constructor<T> constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof IllegalArgumentException refused) {
                throw atKey(type, section, path, String.valueOf(refused.getMessage()));
            }
            throw new IllegalStateException("constructor of " + type + " failed", e);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(type + " is no record", e);
        }
    }

    /** A range message starts with a key of the record; where that key was given, it is the place to look at. */
    private static SettingsException atKey(Class<?> type, Mapping section, String path, String message) {
        for (RecordComponent component : type.getRecordComponents()) {
            String key = KeyNames.of(component);
            if (message.startsWith(key + ":") || message.startsWith(key + " ")) {
                YamlNode node = section.children().getOrDefault(key, section);
                String rest = message.substring(key.length() + (message.charAt(key.length()) == ':' ? 1 : 0));
                return node.place().failure(join(path, key), rest.strip());
            }
        }
        return section.place().failure(path, message);
    }

    private static @Nullable Object defaultsOf(Class<?> type) {
        try {
            var defaults = type.getDeclaredMethod("defaults");
            defaults.setAccessible(true);
            return defaults.invoke(null);
        } catch (NoSuchMethodException e) {
            return null;
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("defaults() of " + type + " failed", e);
        }
    }

    static @Nullable Object get(RecordComponent component, Object record) {
        try {
            component.getAccessor().setAccessible(true);
            return component.getAccessor().invoke(record);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(component + " cannot be read", e);
        }
    }

    private static boolean optional(RecordComponent component) {
        return component.getAnnotatedType().isAnnotationPresent(Nullable.class);
    }

    private static String join(String path, String key) {
        return path.isEmpty() ? key : path + "." + key;
    }
}
