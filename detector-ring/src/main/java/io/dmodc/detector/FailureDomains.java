package io.dmodc.detector;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What members of a ring share that can fail as one: for each kind (a pod, a rack, a power feed) the domain each member
 * is in, if any.
 *
 * <p>Members are indices 0..{@link #memberCount()}-1 in the caller's order. Kinds are numbered in the order they were
 * first named, domains likewise within their kind, so equal calls give equal numbers. Memory: 4 bytes per member and
 * kind. Not thread-safe while it is filled.
 */
public final class FailureDomains {
    /** Stands for a member that is in no domain of a kind: it shares none with anybody. */
    public static final int NONE = -1;

    /** Most kinds; each costs a comparison per pair of neighbours looked at. */
    public static final int KINDS_MAX = 8;

    private final int memberCount;
    private final Map<String, Kind> kinds = new LinkedHashMap<>();

    /** One kind: numbers and names of its domains. */
    private static final class Kind {
        private final int[] domainOf;
        private final List<String> names = new ArrayList<>();
        private final Map<String, Integer> numbers = new HashMap<>();

        Kind(int memberCount) {
            domainOf = new int[memberCount];
            Arrays.fill(domainOf, NONE);
        }

        int number(String domain) {
            return numbers.computeIfAbsent(domain, fresh -> {
                names.add(fresh);
                return names.size() - 1;
            });
        }
    }

    /** Nobody shares anything yet. */
    public FailureDomains(int memberCount) {
        this.memberCount = memberCount;
    }

    /**
     * Puts a member into a domain.
     *
     * @throws IllegalArgumentException in one line, if it is in another domain of that kind already or there are too
     *     many kinds
     */
    public FailureDomains put(int member, String kind, String domain) {
        if (!kinds.containsKey(kind) && kinds.size() == KINDS_MAX) {
            throw new IllegalArgumentException("failure domains: kind '" + kind + "' besides " + kinds.keySet()
                    + ", expected at most " + KINDS_MAX + " kinds");
        }
        Kind of = kinds.computeIfAbsent(kind, fresh -> new Kind(memberCount));
        int number = of.number(domain);
        int before = of.domainOf[member];
        if (before != NONE && before != number) {
            throw new IllegalArgumentException("failure domains: member " + member + " in " + kind + " '"
                    + of.names.get(before) + "' and '" + domain + "', expected one of them");
        }
        of.domainOf[member] = number;
        return this;
    }

    public int memberCount() {
        return memberCount;
    }

    /** Names of the kinds in the order of their numbers. */
    public List<String> kinds() {
        return List.copyOf(kinds.keySet());
    }

    /** Name of a domain of a kind. */
    String name(int kind, int domain) {
        return kind(kind).names.get(domain);
    }

    int domainCount(int kind) {
        return kind(kind).names.size();
    }

    private Kind kind(int kind) {
        return List.copyOf(kinds.values()).get(kind);
    }

    /** Rows are members, columns kinds: {@code table[member * kinds + kind]} is the domain's number or {@link #NONE}. */
    int[] table() {
        int[] table = new int[memberCount * kinds.size()];
        int kind = 0;
        for (Kind of : kinds.values()) {
            for (int member = 0; member < memberCount; member++) {
                table[member * kinds.size() + kind] = of.domainOf[member];
            }
            kind++;
        }
        return table;
    }
}
