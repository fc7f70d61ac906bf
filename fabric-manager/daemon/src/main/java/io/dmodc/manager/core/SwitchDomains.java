package io.dmodc.manager.core;

import io.dmodc.topology.Guid;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/**
 * What an operator says may fail as one: racks, power feeds, pods of switches. Immutable.
 *
 * <p>The text form is one {@code guid kind domain} a line; {@code #} starts a comment. Instead of a GUID a line may say
 * {@code manager}.
 */
public final class SwitchDomains {
    /** The kind that is derived from the cables for switches whose pod is not listed. */
    public static final String POD = "pod";

    /** Most kinds besides {@link #POD}. */
    public static final int KINDS_MAX = 7;

    /** Most lines: every kind for as many switches as a manager serves, and comments. */
    public static final int LINES_MAX = 1 << 18;

    private static final int NAME_MAX = 64;
    private static final String MANAGER = "manager";
    private static final String FORM = "expected 'guid kind domain'";

    private final Map<Long, Map<String, String>> bySwitch = new LinkedHashMap<>();
    private final Map<String, String> ofManager = new LinkedHashMap<>();
    private final Set<String> kinds = new TreeSet<>();

    private SwitchDomains() {}

    /** Nothing is said. */
    public static SwitchDomains none() {
        return new SwitchDomains();
    }

    /**
     * Reads the text form.
     *
     * @param source file name for messages
     * @throws IllegalArgumentException in one line: source, line number, what was expected
     */
    public static SwitchDomains parse(String source, List<String> lines) {
        SwitchDomains domains = new SwitchDomains();
        for (int i = 0; i < lines.size(); i++) {
            String text = lines.get(i).split("#", 2)[0].strip();
            if (i == LINES_MAX) {
                throw new IllegalArgumentException(source + ":" + (i + 1) + ": more than " + LINES_MAX + " lines");
            }
            if (!text.isEmpty()) {
                domains.take(source + ":" + (i + 1) + ": ", text);
            }
        }
        return domains;
    }

    private void take(String where, String text) {
        String[] words = text.split("\\s+");
        if (words.length != 3 || words[1].length() > NAME_MAX || words[2].length() > NAME_MAX) {
            String shown = text.length() <= 60 ? text : text.substring(0, 60) + "…";
            throw new IllegalArgumentException(
                    where + "'" + shown + "'; " + FORM + ", names of at most " + NAME_MAX + " letters");
        }
        Map<String, String> of = words[0].equals(MANAGER)
                ? ofManager
                : bySwitch.computeIfAbsent(guid(where, words[0]), guid -> new LinkedHashMap<>());
        if (of.putIfAbsent(words[1], words[2]) != null) {
            throw new IllegalArgumentException(where + words[0] + " has a second " + words[1] + "; expected one");
        }
        if (!words[1].equals(POD) && kinds.add(words[1]) && kinds.size() > KINDS_MAX) {
            throw new IllegalArgumentException(where + "kind '" + words[1] + "'; expected at most " + KINDS_MAX
                    + " kinds besides " + POD + ", so far " + kinds);
        }
    }

    private static long guid(String where, String word) {
        try {
            return Guid.parse(word);
        } catch (IllegalArgumentException e) {
            String shown = word.length() <= 40 ? word : word.substring(0, 40) + "…";
            throw new IllegalArgumentException(
                    where + "'" + shown + "' is neither a GUID nor '" + MANAGER + "'; " + FORM, e);
        }
    }

    /** The text form of what was read, without comments; {@link #parse} makes the same of it. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        ofManager.forEach((kind, domain) -> lines.add(MANAGER + " " + kind + " " + domain));
        bySwitch.forEach(
                (guid, of) -> of.forEach((kind, domain) -> lines.add(Guid.format(guid) + " " + kind + " " + domain)));
        return lines;
    }

    /** Visits kind and domain of all domains a switch is in. */
    void forSwitch(long guid, BiConsumer<String, String> visitor) {
        bySwitch.getOrDefault(guid, Map.of()).forEach(visitor);
    }

    /** Visits kind and domain of all domains the manager is in. */
    void forManager(BiConsumer<String, String> visitor) {
        ofManager.forEach(visitor);
    }

    boolean namesPodOf(long guid) {
        return bySwitch.getOrDefault(guid, Map.of()).containsKey(POD);
    }
}
