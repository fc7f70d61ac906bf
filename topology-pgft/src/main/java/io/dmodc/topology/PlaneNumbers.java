package io.dmodc.topology;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The plane number of every switch ever seen above the leaves. {@code dmodc} orders port groups by the number of the
 * neighbour, then by its GUID: switches of one plane stand in one place of every list, whatever GUIDs they have.
 *
 * <p>A number is given once and survives loss and return of its switch and of all others, because the routing formulas
 * count places: another order would reroute the whole fabric. Switches not seen before get the lowest number that a
 * switch of their plane has, and new planes the numbers behind the highest there is. Not thread-safe.
 */
public final class PlaneNumbers {
    /** Highest number: more planes than switches there are not. New planes share it once a file or a record has come so far. */
    public static final int NUMBER_MAX = (1 << 24) - 1;

    /** Of a switch without a number: such switches come last. */
    static final int NONE = Integer.MAX_VALUE;

    private final GuidNumbers numbers;
    private final boolean used;
    private final List<Long> dealt = new ArrayList<>();

    /** What the last view was given, and the switches and ranks it follows from. */
    private int @Nullable [] given;

    private long[] givenTo = {};
    private int[] givenRank = {};

    /** All its ranked switches have numbers. */
    private boolean complete;

    /** No switch seen yet. */
    public PlaneNumbers() {
        this(new GuidNumbers(), true);
    }

    private PlaneNumbers(GuidNumbers numbers, boolean used) {
        this.numbers = numbers;
        this.used = used;
    }

    /**
     * Reads the lines {@code guid number} of a plane map file.
     *
     * @throws IllegalArgumentException in one line, when a line is malformed or a number is above {@link #NUMBER_MAX}
     */
    public static PlaneNumbers parse(String source, List<String> lines) {
        return of(GuidNumbers.parse(source, lines, NUMBER_MAX));
    }

    /** The record with these numbers, by switch GUID. */
    public static PlaneNumbers of(GuidNumbers numbers) {
        return new PlaneNumbers(numbers, true);
    }

    /** Without any number, and gives none: views stay as they are, and groups in the order of GUIDs. */
    public static PlaneNumbers unused() {
        return unused(new GuidNumbers());
    }

    /** As {@link #unused()}, with numbers to be used another time: they are forgotten and handed over meanwhile. */
    public static PlaneNumbers unused(GuidNumbers numbers) {
        return new PlaneNumbers(numbers, false);
    }

    /** The numbers a view has; those of one without are {@link #unused}. */
    public static PlaneNumbers of(FabricView view) {
        GuidNumbers numbers = new GuidNumbers();
        if (!view.hasPlanes()) {
            return unused();
        }
        for (int s = 0; s < view.switchCount(); s++) {
            if (view.rank(s) > 0 && view.plane(s) != NONE) {
                numbers.put(view.switchGuid(s), view.plane(s));
            }
        }
        return of(numbers);
    }

    /** A copy in which the switches of a view have no numbers yet, to be found anew. */
    public PlaneNumbers without(FabricView view) {
        GuidNumbers rest = new GuidNumbers();
        numbers.forEach(rest::put);
        for (int s = 0; s < view.switchCount(); s++) {
            rest.remove(view.switchGuid(s));
        }
        return new PlaneNumbers(rest, used);
    }

    /** The lines of a plane map file. */
    public List<String> lines() {
        return numbers.lines();
    }

    /** Visits all numbers, by switch GUID. */
    public void forEach(GuidNumbers.Visitor visitor) {
        numbers.forEach(visitor);
    }

    /** Number of a switch, or −1. */
    public int of(long guid) {
        return numbers.getOrDefault(guid, -1);
    }

    /**
     * The switch will not come back.
     *
     * @return false if it had no number
     */
    public boolean forget(long guid) {
        boolean known = of(guid) >= 0;
        numbers.remove(guid);
        dealt.remove(guid);
        given = null;
        return known;
    }

    /**
     * A new switch stands where the old one stood, and has its number from now on.
     *
     * @return false if the old one has none
     */
    public boolean handOver(long oldGuid, long newGuid) {
        int number = of(oldGuid);
        if (number >= 0) {
            numbers.put(newGuid, number);
            dealt.add(newGuid);
            given = null;
        }
        return number >= 0;
    }

    /** Switches that were given a number since this was called last, in that order. */
    public List<Long> takeDealt() {
        List<Long> taken = List.copyOf(dealt);
        dealt.clear();
        return taken;
    }

    /**
     * Gives numbers to the switches of a view that are in a plane and have none, from the fabric as the view has it.
     *
     * <p>O(1) when the view has the switches and ranks of the last one and nobody waits for a number; O(switches) when
     * nobody is new.
     *
     * @return the same view with the numbers of all its switches
     */
    public FabricView number(FabricView view) {
        return number(view, true, Set.of());
    }

    /**
     * As {@link #number}, but gives nobody a number that has none.
     *
     * @param hidden switches that are taken as having none
     */
    public FabricView numberKnown(FabricView view, Set<Long> hidden) {
        return number(view, false, hidden);
    }

    /**
     * A view as the other order of groups has it: with the numbers known, if these are {@link #unused}, and without, if they
     * are not.
     *
     * @param view without plane numbers
     */
    public FabricView otherwise(FabricView view) {
        return used ? view : of(numbers).numberKnown(view, Set.of());
    }

    private FabricView number(FabricView view, boolean dealing, Set<Long> hidden) {
        if (!used) {
            return view;
        }
        FabricTables t = view.t;
        int[] plane = given;
        if (plane == null
                || !complete
                || !hidden.isEmpty()
                || givenTo != t.switchGuid
                || !Arrays.equals(givenRank, t.rank)) {
            if (dealing && anyWithout(view)) {
                numberNew(view);
            }
            plane = read(view, hidden);
            given = plane;
            givenTo = t.switchGuid;
            givenRank = t.rank;
        }
        return view.withPlanes(plane);
    }

    private boolean anyWithout(FabricView view) {
        for (int s = 0; s < view.switchCount(); s++) {
            if (PlaneFinder.hasPlane(view, s) && of(view.switchGuid(s)) < 0) {
                return true;
            }
        }
        return false;
    }

    private void numberNew(FabricView view) {
        int[] found = PlaneFinder.find(view);
        int first = highest() + 1;
        for (int rank = 1; rank <= view.rankMax(); rank++) {
            int[] members = members(view, rank, found);
            int[] number = numbers(view, members, found, first);
            for (int s : members) {
                if (of(view.switchGuid(s)) < 0) {
                    numbers.put(view.switchGuid(s), number[found[s]]);
                    dealt.add(view.switchGuid(s));
                }
            }
        }
    }

    private static int[] members(FabricView view, int rank, int[] found) {
        return IntStream.range(0, found.length)
                .filter(s -> found[s] >= 0 && view.rank(s) == rank)
                .toArray();
    }

    /** Number of each plane of a rank: the lowest that a member has; those without take the next from {@code first} on. */
    private int[] numbers(FabricView view, int[] members, int[] found, int first) {
        int[] number =
                new int[Arrays.stream(members).map(s -> found[s] + 1).max().orElse(0)];
        Arrays.fill(number, NONE);
        for (int s : members) {
            int known = of(view.switchGuid(s));
            number[found[s]] = known < 0 ? number[found[s]] : Math.min(number[found[s]], known);
        }
        int next = first;
        for (int plane = 0; plane < number.length; plane++) {
            number[plane] = number[plane] == NONE ? Math.min(next++, NUMBER_MAX) : number[plane];
        }
        return number;
    }

    private int highest() {
        int[] highest = {-1};
        numbers.forEach((guid, number) -> highest[0] = Math.max(highest[0], number));
        return highest[0];
    }

    /** By switch index: 0 for leaves, {@link #NONE} where there is no number. */
    private int[] read(FabricView view, Set<Long> hidden) {
        int[] plane = new int[view.switchCount()];
        complete = true;
        for (int s = 0; s < plane.length; s++) {
            long guid = view.switchGuid(s);
            int number = view.rank(s) == 0 ? 0 : hidden.contains(guid) ? -1 : of(guid);
            complete &= number >= 0 || view.rank(s) < 0;
            plane[s] = number < 0 ? NONE : number;
        }
        return plane;
    }
}
