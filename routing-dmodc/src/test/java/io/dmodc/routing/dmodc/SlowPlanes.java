package io.dmodc.routing.dmodc;

import io.dmodc.topology.FabricView;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;

/** The slow twin of plane numbers: the three steps as one would explain them, from cables and ranks alone. */
final class SlowPlanes {
    private final FabricView view;
    private final Map<Integer, Integer> numberOf = new HashMap<>();

    SlowPlanes(FabricView view) {
        this.view = view;
        for (int rank = view.rankMax(); rank >= 1; rank--) {
            int of = rank;
            List<Integer> members = IntStream.range(0, view.switchCount())
                    .filter(s -> view.rank(s) == of && view.alive(s) && isCabled(s))
                    .boxed()
                    .toList();
            number(planes(members), rank);
        }
    }

    /** Numbers by GUID of every live switch above the leaves that has a link. */
    Map<Long, Integer> numbers() {
        Map<Long, Integer> numbers = new HashMap<>();
        numberOf.forEach((s, number) -> numbers.put(view.switchGuid(s), number));
        return numbers;
    }

    private boolean isCabled(int s) {
        return IntStream.rangeClosed(1, view.portCount(s)).anyMatch(port -> view.peerSwitch(s, port) >= 0);
    }

    /** Neighbours one rank above by GUID, each once. */
    private List<Integer> above(int s) {
        return IntStream.rangeClosed(1, view.portCount(s))
                .map(port -> view.peerSwitch(s, port))
                .filter(remote -> remote >= 0 && view.rank(remote) == view.rank(s) + 1)
                .distinct()
                .boxed()
                .sorted(Comparator.comparing(view::switchGuid, Long::compareUnsigned))
                .toList();
    }

    private Set<Integer> planesAbove(int s) {
        Set<Integer> planes = new HashSet<>();
        above(s).forEach(remote -> planes.add(numberOf.get(remote)));
        return planes;
    }

    /** Step 1. */
    private List<Set<Integer>> planes(List<Integer> members) {
        List<Set<Integer>> planes = new ArrayList<>();
        Set<Integer> left = new TreeSet<>(members);
        while (!left.isEmpty()) {
            Set<Integer> plane = new TreeSet<>();
            List<Integer> queue = new ArrayList<>(List.of(left.iterator().next()));
            while (!queue.isEmpty()) {
                int x = queue.remove(0);
                if (plane.add(x)) {
                    left.stream().filter(y -> areJoined(x, y)).forEach(queue::add);
                }
            }
            left.removeAll(plane);
            planes.add(plane);
        }
        return planes;
    }

    private boolean areJoined(int x, int y) {
        Set<Integer> ofX = planesAbove(x);
        Set<Integer> ofY = planesAbove(y);
        Set<Integer> common = new HashSet<>(ofX);
        common.retainAll(ofY);
        return 2 * common.size() > Math.max(ofX.size(), ofY.size());
    }

    /** Steps 2 and 3. */
    private void number(List<Set<Integer>> planes, int rank) {
        Map<Integer, Integer> planeOf = new HashMap<>();
        for (int p = 0; p < planes.size(); p++) {
            for (int member : planes.get(p)) {
                planeOf.put(member, p);
            }
        }
        Set<List<Integer>> precedes = new HashSet<>();
        for (int s = 0; s < view.switchCount(); s++) {
            if (view.rank(s) == rank - 1) {
                List<Integer> list =
                        above(s).stream().map(planeOf::get).distinct().toList();
                for (int i = 1; i < list.size(); i++) {
                    precedes.add(List.of(list.get(i - 1), list.get(i)));
                }
            }
        }
        Set<Integer> left = new HashSet<>(planeOf.values());
        for (int number = 0; !left.isEmpty(); number++) {
            List<Integer> free = left.stream()
                    .filter(p -> left.stream().noneMatch(other -> precedes.contains(List.of(other, p))))
                    .toList();
            int taken = (free.isEmpty() ? left : free)
                    .stream()
                            .min(Comparator.comparing(p -> lowestGuid(planes.get(p)), Long::compareUnsigned))
                            .orElseThrow();
            left.remove(taken);
            for (int member : planes.get(taken)) {
                numberOf.put(member, number);
            }
        }
    }

    private long lowestGuid(Set<Integer> plane) {
        return plane.stream().map(view::switchGuid).min(Long::compareUnsigned).orElseThrow();
    }
}
