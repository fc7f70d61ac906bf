package io.dmodc.manager.opensm;

import io.dmodc.manager.opensm.Discovery.FoundSwitch;
import io.dmodc.subnet.LinkInfoText.FarEnd;
import io.dmodc.subnet.LinkInfoText.SwitchLinks;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.Guid;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Has switches say whether a look at the whole fabric shows it as it is. One that does not answer contradicts nothing. For one thread. */
final class LookWitnesses {
    /** Asked about a look: of what is many times so, one will do. */
    static final int WITNESSES_MAX = 8;

    /** Asked about a dump, of which each port counts. */
    static final int SWITCHES_MAX = NamedSwitchLook.SWITCHES_MAX;

    private final SwitchAsker asker;

    LookWitnesses(SwitchAsker asker) {
        this.asker = asker;
    }

    /**
     * Who is asked about a switch: itself; or first, where it is missing, the one before it on its path, which names it at a port if it answers, and says at once
     * that this is down if it is: nobody waits for a switch that is gone, unless that one does not answer either.
     *
     * @param port 0 for the switch itself
     */
    private record Witness(FoundSwitch about, String path, int port) {
        static Witness of(FoundSwitch about, String path, boolean missing) {
            int last = path.lastIndexOf(',');
            return missing && path.indexOf(',') < last
                    ? new Witness(about, path.substring(0, last), Integer.parseInt(path.substring(last + 1)))
                    : new Witness(about, path, 0);
        }
    }

    /**
     * Asks about those switches that a look lacks, or of which a port leads elsewhere in it than before, {@value #WITNESSES_MAX} at
     * most, those that it lacks first; but not about those of which OpenSM's log has told as much, which the look has not made.
     *
     * @param before what is believed
     * @param found what the look shows
     * @param told how often OpenSM's log named each switch since that is believed, for a link that changed
     * @return which of them says that it is as it was before, and what; empty if none does, as far as they answer
     */
    String contradiction(Discovery before, Discovery found, Map<Long, Integer> told) throws InterruptedException {
        List<FoundSwitch> suspects = before.switches().values().stream()
                .filter(was -> !was.equals(found.switches().get(was.guid()))
                        && before.paths().to(was.guid()) != null
                        && !isTold(was, before, found, told))
                .sorted(Comparator.comparing(was -> found.switches().containsKey(was.guid())))
                .limit(WITNESSES_MAX)
                .toList();
        List<Witness> witnesses = new ArrayList<>();
        Map<String, String> paths = new LinkedHashMap<>();
        for (FoundSwitch was : suspects) {
            boolean missing = !found.switches().containsKey(was.guid());
            Witness witness = Witness.of(was, String.valueOf(before.paths().to(was.guid())), missing);
            witnesses.add(witness);
            paths.put(witness.path(), witness.path());
        }
        Map<String, SwitchLinks> answers = asker.answers(paths);
        paths.clear();
        for (Witness silent : List.copyOf(witnesses)) {
            SwitchLinks near = answers.get(silent.path());
            if (silent.port() > 0 && (near == null || isUnknown(near, silent.port()))) {
                Witness itself = Witness.of(silent.about(), silent.path() + "," + silent.port(), false);
                witnesses.add(itself);
                paths.put(itself.path(), itself.path());
            }
        }
        answers.putAll(asker.answers(paths));
        return witnesses.stream()
                .map(each -> contradiction(each, answers.get(each.path()), found))
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElse("");
    }

    /** Each port that changed was told of by a switch at its end: as often as ports of it changed, or what else is left out with it would go unasked. */
    private static boolean isTold(FoundSwitch was, Discovery before, Discovery found, Map<Long, Integer> told) {
        FoundSwitch shown = found.switches().get(was.guid());
        if (shown != null) {
            return told.getOrDefault(was.guid(), 0) == was.changedPorts(shown);
        }
        List<FoundSwitch> beside = was.ports().stream()
                .filter(ToSwitch.class::isInstance)
                .map(end -> before.switches().get(((ToSwitch) end).guid()))
                .distinct()
                .toList();
        return !beside.isEmpty()
                && beside.stream()
                        .allMatch(each -> each != null
                                && found.switches().containsKey(each.guid())
                                && isTold(each, before, found, told));
    }

    private static String contradiction(Witness witness, @Nullable SwitchLinks is, Discovery found) {
        FoundSwitch was = witness.about();
        FoundSwitch shown = found.switches().get(was.guid());
        if (is == null || !answers(witness, is)) {
            return "";
        }
        if (shown == null) {
            return was.name() + " is not in it, and answers";
        }
        for (int port = 1; port <= Math.min(is.ports().size(), Math.min(was.portCount(), shown.portCount())); port++) {
            boolean isUp = is.ports().get(port - 1) != null;
            if (!isUnknown(is, port) && isUp == was.isUp(port) && isUp != shown.isUp(port)) {
                return was.name() + " port " + port + " is " + (isUp ? "down" : "up")
                        + " in it, and its switch says that it is not";
            }
        }
        return "";
    }

    /** Its port is up, and what is behind does not answer it: that may be gone or hang, or a packet was lost. */
    private static boolean isUnknown(SwitchLinks near, int port) {
        FarEnd end = port <= near.ports().size() ? near.ports().get(port - 1) : null;
        return end != null && end.isUnknown();
    }

    private static boolean answers(Witness witness, SwitchLinks is) {
        if (witness.port() == 0) {
            return is.guid() == witness.about().guid();
        }
        FarEnd end = witness.port() <= is.ports().size() ? is.ports().get(witness.port() - 1) : null;
        return end != null && end.guid() == witness.about().guid();
    }

    /**
     * What switches say of a look, and of a dump.
     *
     * @param contradiction what is not so in the look; empty if nothing is known to be
     * @param dead a port that the dump uses and that is down, or a switch of it that does not answer; empty for none
     */
    record SaidOfDump(String contradiction, String dead) {}

    /**
     * Asks whether the dump that lay there at the start uses dead ports, as the first look shows: each switch that has one in it, and those behind these
     * that it lacks, or shows no way to. Nobody where there are more than {@value #SWITCHES_MAX} of them.
     *
     * @param found what the look shows
     */
    SaidOfDump ofDump(InheritedDump dump, Discovery found) throws InterruptedException {
        DumpQuestions questions = new DumpQuestions(dump, found);
        while (!questions.next.isEmpty()) {
            if (questions.asked.size() > SWITCHES_MAX) {
                return new SaidOfDump("", "");
            }
            questions.ask();
        }
        questions.leaveUnasked();
        return new SaidOfDump(questions.contradiction, questions.dead);
    }

    private final class DumpQuestions {
        private final InheritedDump dump;
        private final Discovery found;

        /** Whom to ask, and by which path. */
        private final Map<Long, String> next = new TreeMap<>(Long::compareUnsigned);

        /** With those who are asked next. */
        private final Set<Long> asked = new HashSet<>();

        private String contradiction = "";
        private String dead = "";

        DumpQuestions(InheritedDump dump, Discovery found) {
            this.dump = dump;
            this.found = found;
            found.switches().values().stream()
                    .filter(each -> dump.deadPort(each) > 0)
                    .forEach(each -> put(each.guid(), found.paths().to(each.guid())));
        }

        private void put(long guid, @Nullable String path) {
            if (path != null && asked.add(guid)) {
                next.put(guid, path);
            }
        }

        /** Whom nobody leads to might as well not answer. */
        void leaveUnasked() {
            found.switches().values().stream()
                    .filter(each -> dump.deadPort(each) > 0 && !asked.contains(each.guid()))
                    .forEach(each -> isDead(name(each.guid()) + ", to which no way is known"));
        }

        void ask() throws InterruptedException {
            Map<Long, String> paths = new LinkedHashMap<>(next);
            next.clear();
            Map<Long, SwitchLinks> answers = asker.answers(paths);
            paths.forEach((guid, path) -> {
                SwitchLinks is = answers.get(guid);
                if (is == null || is.guid() != guid) {
                    isDead(name(guid) + ", which does not answer");
                } else {
                    take(is, path);
                }
            });
        }

        private void take(SwitchLinks is, String path) {
            FoundSwitch shown = found.switches().get(is.guid());
            if (shown == null) {
                isContradicted(name(is.guid()) + " is not in it, and answers");
            }
            for (int port = 1; port <= is.ports().size(); port++) {
                FarEnd end = is.ports().get(port - 1);
                if (!dump.uses(is.guid(), port)) {
                    continue;
                }
                if (end == null || end.isUnknown()) {
                    isDead(name(is.guid()) + " port " + port);
                } else if (shown != null && !shown.isUp(port)) {
                    isContradicted(
                            name(is.guid()) + " port " + port + " is down in it, and its switch says that it is not");
                }
                if (end != null && dump.has(end.guid()) && found.paths().to(end.guid()) == null) {
                    put(end.guid(), path + "," + port);
                }
            }
        }

        private void isDead(String what) {
            dead = dead.isEmpty() ? what : dead;
        }

        private void isContradicted(String by) {
            contradiction = contradiction.isEmpty() ? by : contradiction;
        }

        private String name(long guid) {
            FoundSwitch shown = found.switches().get(guid);
            return shown == null ? "switch " + Guid.format(guid) : shown.name() + " (" + Guid.format(guid) + ")";
        }
    }
}
