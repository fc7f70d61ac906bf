package io.dmodc.ctl.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ObjIntConsumer;

/**
 * Alarms under those they follow from: alarms before warnings, those last that somebody takes care of, else in the order they were listed. One whose parent is not listed stands on top, and
 * no alarm is shown twice or left out, whatever the parents say.
 */
final class AlarmTree {
    private final Map<Long, JsonNode> byId = new LinkedHashMap<>();
    private final Map<Long, List<JsonNode>> children = new LinkedHashMap<>();

    AlarmTree(JsonNode alarms) {
        alarms.forEach(alarm -> byId.put(id(alarm), alarm));
        byId.values().forEach(alarm -> {
            if (isBelow(alarm)) {
                children.computeIfAbsent(alarm.at("/parent").asLong(), parent -> new ArrayList<>())
                        .add(alarm);
            }
        });
    }

    private static long id(JsonNode alarm) {
        return alarm.at("/id").asLong();
    }

    private boolean isBelow(JsonNode alarm) {
        return alarm.has("parent") && byId.containsKey(alarm.at("/parent").asLong());
    }

    int count() {
        return byId.size();
    }

    /** Those that follow from no other listed one: alarms before warnings, last those that somebody takes care of. */
    List<JsonNode> tops() {
        return byId.values().stream()
                .filter(alarm -> !isBelow(alarm))
                .sorted(Comparator.comparing((JsonNode alarm) -> alarm.has("acknowledged"))
                        .thenComparing(alarm -> !alarm.at("/severity").asText().equals("alarm")))
                .toList();
    }

    private record Step(JsonNode alarm, int depth) {}

    /** Visits each alarm once, with how far below the top it stands. */
    void forEach(ObjIntConsumer<JsonNode> visitor) {
        Set<Long> seen = new HashSet<>();
        tops().forEach(top -> visit(top, seen, visitor));
        byId.values().forEach(alarm -> visit(alarm, seen, visitor));
    }

    private void visit(JsonNode top, Set<Long> seen, ObjIntConsumer<JsonNode> visitor) {
        Deque<Step> open = new ArrayDeque<>(List.of(new Step(top, 0)));
        while (!open.isEmpty()) {
            Step step = open.pop();
            if (seen.add(id(step.alarm))) {
                visitor.accept(step.alarm, step.depth);
                List<JsonNode> below = children.getOrDefault(id(step.alarm), List.of());
                for (int i = below.size() - 1; i >= 0; i--) {
                    open.push(new Step(below.get(i), step.depth + 1));
                }
            }
        }
    }
}
