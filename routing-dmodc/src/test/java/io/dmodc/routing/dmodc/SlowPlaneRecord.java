package io.dmodc.routing.dmodc;

import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The slow twin of the record of plane numbers: who has which, and what new ones get, as docs/algorithms/dmodc.md has it. */
final class SlowPlaneRecord {
    private final Map<Long, Integer> numbers = new TreeMap<>(Long::compareUnsigned);

    Map<Long, Integer> numbers() {
        return numbers;
    }

    void forget(long guid) {
        numbers.remove(guid);
    }

    void handOver(long old, long fresh) {
        Integer number = numbers.get(old);
        if (number != null) {
            numbers.put(fresh, number);
        }
    }

    /** New switches are sorted into the planes of the fabric as it is. */
    void see(FabricView view) {
        Map<Long, Integer> before = new HashMap<>(numbers);
        int behindAll = before.values().stream().mapToInt(n -> n + 1).max().orElse(0);
        for (int rank = 1; rank <= view.rankMax(); rank++) {
            int next = behindAll;
            for (List<Long> plane : planesInOrder(view, rank)) {
                int known = plane.stream()
                        .filter(before::containsKey)
                        .mapToInt(guid -> before.getOrDefault(guid, 0))
                        .min()
                        .orElse(-1);
                int number = known >= 0 ? known : next++;
                plane.forEach(guid -> numbers.putIfAbsent(guid, number));
            }
        }
    }

    private static List<List<Long>> planesInOrder(FabricView view, int rank) {
        TreeMap<Integer, List<Long>> planes = new TreeMap<>();
        new SlowPlanes(view).numbers().forEach((guid, place) -> {
            if (view.rank(view.switchOf(guid)) == rank) {
                planes.computeIfAbsent(place, none -> new ArrayList<>()).add(guid);
            }
        });
        return List.copyOf(planes.values());
    }
}
