package io.dmodc.topology;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Which host is of which type: compute, input and output, service. Hosts of one type are numbered one after the other, so
 * that the routing formulas, which divide the number, spread the traffic of each type over all ports and not only that
 * of all together.
 *
 * <p>The text form is one {@code guid type} or {@code name-pattern type} a line; {@code #} starts a comment. A GUID is that of
 * a host port or of its adapter, with {@code 0x}; in a pattern {@code *} stands for any characters and {@code ?} for
 * one. A GUID wins over patterns, the first pattern that matches over later ones, and a host that no line names is of
 * the type {@value #REST}, which is numbered first; the others follow in the order of the text. Immutable.
 *
 * <p><b>Source.</b> Gliksberg, Quintin, García: Node-Type-Based Load-Balancing Routing for Parallel Generalized
 * Fat-Trees, arXiv 2211.11818.
 */
public final class NodeTypes {
    /** Type of the hosts that no line names. */
    public static final String REST = "compute";

    /** All hosts are of one type. */
    public static final NodeTypes NONE = new NodeTypes(List.of());

    /** Most types. */
    public static final int TYPES_MAX = 16;

    /** Most patterns: a host that is new is compared with each. */
    public static final int PATTERNS_MAX = 100;

    /** Most lines: one for each host there may be, and comments. */
    public static final int LINES_MAX = 1 << 20;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,32}");
    private static final int LINE_SHOWN = 60;

    private record Rule(NamePattern pattern, int type) {}

    private final List<String> lines;
    private final List<String> names = new ArrayList<>(List.of(REST));
    private final Map<Long, Integer> byGuid = new HashMap<>();
    private final List<Rule> rules = new ArrayList<>();

    private NodeTypes(List<String> lines) {
        this.lines = lines;
    }

    /**
     * Reads the text form.
     *
     * @param source file name for messages
     * @throws IllegalArgumentException in one line: source, line number, what was expected
     */
    public static NodeTypes parse(String source, List<String> lines) {
        NodeTypes types = new NodeTypes(List.copyOf(lines));
        if (lines.size() > LINES_MAX) {
            throw new IllegalArgumentException(source + ": " + lines.size() + " lines; expected at most " + LINES_MAX);
        }
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                types.read(source + ":" + (i + 1) + ": ", line);
            }
        }
        return types;
    }

    /** The type is the last word: names of hosts have blanks. */
    private void read(String where, String line) {
        int blank = Math.max(line.lastIndexOf(' '), line.lastIndexOf('\t'));
        String of = blank < 0 ? "" : line.substring(0, blank).strip();
        String type = line.substring(blank + 1);
        if (of.isEmpty() || !NAME.matcher(type).matches()) {
            throw new IllegalArgumentException(
                    where + "'" + shorten(line)
                            + "'; expected 'guid type' or 'name-pattern type', a type of up to 32 letters, digits, '.', '_', '-'");
        }
        if (of.startsWith("0x")) {
            readGuid(where, of, number(where, type));
        } else if (rules.size() == PATTERNS_MAX) {
            throw new IllegalArgumentException(where + "a pattern more than " + PATTERNS_MAX);
        } else {
            rules.add(new Rule(new NamePattern(of), number(where, type)));
        }
    }

    private void readGuid(String where, String of, int type) {
        long guid;
        try {
            guid = Guid.parse(of);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(where + e.getMessage(), e);
        }
        if (byGuid.putIfAbsent(guid, type) != null) {
            throw new IllegalArgumentException(where + "GUID " + Guid.format(guid) + " a second time");
        }
    }

    private int number(String where, String type) {
        int known = names.indexOf(type);
        if (known >= 0) {
            return known;
        }
        if (names.size() == TYPES_MAX) {
            throw new IllegalArgumentException(where + "type '" + type + "' is one more than " + TYPES_MAX + ", with '"
                    + REST + "' for all hosts without a line");
        }
        names.add(type);
        return names.size() - 1;
    }

    private static String shorten(String line) {
        return line.length() <= LINE_SHOWN ? line : line.substring(0, LINE_SHOWN) + "…";
    }

    /** The text it was read from. */
    public List<String> lines() {
        return lines;
    }

    @Override
    public boolean equals(@Nullable Object that) {
        return that instanceof NodeTypes other && lines.equals(other.lines);
    }

    @Override
    public int hashCode() {
        return lines.hashCode();
    }

    /** Types there are, {@value #REST} among them. */
    public int count() {
        return names.size();
    }

    /** Name of a type 0..{@link #count}−1, in the order they are numbered. */
    public String name(int type) {
        return names.get(type);
    }

    /** The types, in the order they are numbered. */
    public List<String> names() {
        return List.copyOf(names);
    }

    /** The types that were named and that no host of a fabric is of. */
    public List<String> unusedIn(FabricView fabric) {
        BitSet used = new BitSet();
        for (int node = 0; node < fabric.nodeCount() && names.size() > 1; node++) {
            Host host = fabric.isHost(node) ? fabric.host(node) : null;
            if (host != null) {
                used.set(of(host));
            }
        }
        return IntStream.range(1, names.size())
                .filter(type -> !used.get(type))
                .mapToObj(names::get)
                .toList();
    }

    /** Type of a host, 0..{@link #count}−1. */
    public int of(Host host) {
        Integer exact = byGuid.get(host.portGuid());
        exact = exact == null ? byGuid.get(host.hostGuid()) : exact;
        if (exact != null) {
            return exact;
        }
        for (Rule rule : rules) {
            if (rule.pattern.matches(host.name())) {
                return rule.type;
            }
        }
        return 0;
    }
}
