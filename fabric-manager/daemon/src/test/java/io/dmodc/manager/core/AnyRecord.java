package io.dmodc.manager.core;

import io.dmodc.manager.config.ManagerConfig;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.RoutingResult;
import io.dmodc.routing.Tables;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.GuidNumbers;
import io.dmodc.topology.NodeIndexMap;
import io.dmodc.topology.NodeTypes;
import io.dmodc.topology.pgft.PgftGenerator;
import io.dmodc.topology.pgft.PgftShape;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** A record of any class, its components as plain as they may be: for tests that only ask whether somebody takes it. */
public final class AnyRecord {
    private static final FabricView VIEW =
            PgftGenerator.generate(PgftShape.parse("2;2,2;1,2;1,1")).build(1, new NodeIndexMap(), new GuidNumbers());

    private static final Map<Class<?>, Object> SAMPLES = Map.ofEntries(
            Map.entry(long.class, 1L),
            Map.entry(int.class, 1),
            Map.entry(boolean.class, true),
            Map.entry(String.class, "x"),
            Map.entry(List.class, List.of()),
            Map.entry(Map.class, Map.of()),
            Map.entry(SortedMap.class, Collections.emptySortedMap()),
            Map.entry(FabricView.class, VIEW),
            Map.entry(LftRow.class, LftRow.noRoutes(1)),
            Map.entry(Tables.class, new LftSet(1, 0, new LftRow[0])),
            Map.entry(RoutingResult.class, new RoutingResult.Unroutable("x")),
            Map.entry(FabricRules.class, ManagerConfig.defaults().rules(SwitchDomains.none(), NodeTypes.NONE)));

    private AnyRecord() {}

    /** One of each record below a sealed interface. */
    public static <T> List<T> ofEach(Class<T> sealed) {
        List<T> each = new ArrayList<>();
        for (Class<?> type : sealed.getPermittedSubclasses()) {
            each.add(sealed.cast(of(type)));
        }
        return each;
    }

    private static Object of(Class<?> record) {
        RecordComponent[] components = record.getRecordComponents();
        Class<?>[] types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        try {
            Constructor<?> constructor = record.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(
                    Arrays.stream(types).map(AnyRecord::value).toArray());
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("no " + record, e);
        }
    }

    private static @Nullable Object value(Class<?> type) {
        if (SAMPLES.containsKey(type)) {
            return SAMPLES.get(type);
        }
        if (type.isEnum()) {
            return type.getEnumConstants()[0];
        }
        if (type.isArray()) {
            return Array.newInstance(type.getComponentType(), 0);
        }
        if (type.isRecord()) {
            return of(type);
        }
        return type.isSealed() ? of(type.getPermittedSubclasses()[0]) : type == Set.class ? Set.of() : null;
    }
}
