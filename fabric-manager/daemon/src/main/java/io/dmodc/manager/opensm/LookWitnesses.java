package io.dmodc.manager.opensm;

import io.dmodc.manager.opensm.Discovery.FoundSwitch;
import io.dmodc.subnet.LinkInfoText.FarEnd;
import io.dmodc.subnet.LinkInfoText.SwitchLinks;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Has switches say whether a look at the whole fabric shows it as it is. One that does not answer contradicts nothing. For one thread. */
final class LookWitnesses {
    /** Asked about a look: of what is many times so, one will do. */
    static final int WITNESSES_MAX = 8;

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
     * most, those that it lacks first.
     *
     * @param before what is believed
     * @param found what the look shows
     * @return which of them says that it is as it was before, and what; empty if none does, as far as they answer
     */
    String contradiction(Discovery before, Discovery found) throws InterruptedException {
        List<FoundSwitch> suspects = before.switches().values().stream()
                .filter(was -> !was.equals(found.switches().get(was.guid()))
                        && before.paths().to(was.guid()) != null)
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
            if (silent.port() > 0 && !answers.containsKey(silent.path())) {
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
            if (isUp == was.isUp(port) && isUp != shown.isUp(port)) {
                return was.name() + " port " + port + " is " + (isUp ? "down" : "up")
                        + " in it, and its switch says that it is not";
            }
        }
        return "";
    }

    private static boolean answers(Witness witness, SwitchLinks is) {
        if (witness.port() == 0) {
            return is.guid() == witness.about().guid();
        }
        FarEnd end = witness.port() <= is.ports().size() ? is.ports().get(witness.port() - 1) : null;
        return end != null && end.guid() == witness.about().guid();
    }
}
