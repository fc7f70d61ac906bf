package io.dmodc.manager.northbound;

import io.dmodc.manager.core.Act;
import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.core.Forgettable;
import io.dmodc.manager.core.Forgettable.CableAt;
import io.dmodc.manager.core.Forgettable.HostPort;
import io.dmodc.manager.core.Forgettable.SwitchGuid;
import io.dmodc.manager.core.SwitchSnapshot;
import io.dmodc.manager.state.StateRecord.ExpectedPort;
import io.dmodc.manager.state.StateRecord.ExpectedSwitch;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricView;
import io.dmodc.topology.Guid;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Finds what people say is gone for good, and what is there in its place. What the fabric has now is no such thing. */
final class GoneThings {
    private static final int PORT_DIGITS_MAX = 3;

    private GoneThings() {}

    /**
     * The act of forgetting things of one kind.
     *
     * @throws RequestRefused unless all but one of the lists are empty, or when there is no such thing
     */
    static Act forget(FabricSnapshot fabric, List<String> switches, List<String> links, List<String> nodes) {
        long kinds = Stream.of(switches, links, nodes)
                .filter(names -> !names.isEmpty())
                .count();
        if (kinds != 1) {
            throw RequestRefused.badRequest("expected switches, links or nodes to be forgotten, one kind at a time");
        }
        List<Forgettable> gone = Stream.of(
                        found(switches, name -> aSwitch(fabric, name)),
                        found(links, name -> aCable(fabric, name)),
                        found(nodes, name -> aHost(fabric, name)))
                .flatMap(Function.identity())
                .distinct()
                .toList();
        return Act.forget(gone);
    }

    private static Stream<Forgettable> found(List<String> names, Function<String, Forgettable> find) {
        return names.stream().map(find);
    }

    /**
     * @param nodes of which the second is in the place of the first one, if no switches are named
     * @throws RequestRefused when these are not two switches or two nodes
     */
    static Act replace(FabricSnapshot fabric, List<String> switches, List<String> nodes) {
        if (switches.size() + nodes.size() != 2 || switches.size() == 1) {
            throw RequestRefused.badRequest(
                    "switches: expected the one that is gone and the one that is there instead; or two nodes");
        }
        if (switches.isEmpty()) {
            return ReplacedNodes.act(fabric, nodes.get(0), nodes.get(1));
        }
        return Act.replace(
                aSwitch(fabric, switches.get(0)).guid(),
                aSwitch(fabric, switches.get(1)).guid());
    }

    /**
     * As far as it shows at once; what else there is against it is said when it is applied.
     *
     * @throws RequestRefused when what is to be forgotten or replaced is there, or is not known any more
     */
    static void refuseWhatIsThere(FabricSnapshot fabric, Act act) {
        List<Forgettable> gone = act.replacesSwitch() ? List.of(new SwitchGuid(act.oldGuid())) : act.forgotten();
        String why = gone.stream()
                .map(what -> obstacle(fabric, what))
                .filter(text -> !text.isEmpty())
                .findFirst()
                .orElse(act.replacesSwitch() ? noPlace(fabric, act.oldGuid(), act.newGuid()) : "");
        why = why.isEmpty() ? ReplacedNodes.obstacle(fabric, act) : why;
        if (!why.isEmpty()) {
            throw RequestRefused.conflict(why);
        }
    }

    private static String obstacle(FabricSnapshot fabric, Forgettable what) {
        if (!fabric.knows(what)) {
            return "it is not known any more";
        }
        if (what instanceof SwitchGuid it) {
            SwitchSnapshot record = fabric.findSwitch(it.guid());
            return record != null && record.agentConnected() ? record.name() + ": its agent is connected" : "";
        }
        return !fabric.works(what) ? "" : what instanceof CableAt ? "the cable is up" : "the host is up";
    }

    private static String noPlace(FabricSnapshot fabric, long oldGuid, long newGuid) {
        if (oldGuid == newGuid) {
            return fabric.nameOf(oldGuid) + ": a switch does not replace itself";
        }
        int oldLevel = level(fabric, oldGuid);
        int newLevel = level(fabric, newGuid);
        return oldLevel < 0 || newLevel < 0 || oldLevel == newLevel
                ? ""
                : fabric.nameOf(oldGuid) + " has level " + oldLevel + ", " + fabric.nameOf(newGuid) + " has level "
                        + newLevel;
    }

    private static int level(FabricSnapshot fabric, long guid) {
        FabricView view = fabric.view();
        int s = view == null ? -1 : view.switchOf(guid);
        return view == null || s < 0 ? FabricView.UNRANKED : view.rank(s);
    }

    /** Also one that has not come in since the manager started, or that nothing ties to the fabric. */
    private static SwitchGuid aSwitch(FabricSnapshot fabric, String text) {
        Set<Long> known = new TreeSet<>(Long::compareUnsigned);
        fabric.switches().stream().map(SwitchSnapshot::guid).forEach(known::add);
        fabric.unattached().stream().map(SwitchSnapshot::guid).forEach(known::add);
        fabric.expected().stream().map(ExpectedSwitch::guid).forEach(known::add);
        if (text.startsWith("0x") || text.startsWith("0X")) {
            known.retainAll(Set.of(Parameters.guid(text)));
        } else {
            known.removeIf(guid -> !fabric.nameOf(guid).equals(text));
        }
        if (known.size() > 1) {
            throw RequestRefused.badRequest(known.size() + " switches are called '" + text + "': "
                    + known.stream().map(Guid::format).collect(Collectors.joining(", ")) + "; give the GUID");
        }
        if (known.isEmpty()) {
            throw RequestRefused.notFound("no switch '" + text + "'");
        }
        return new SwitchGuid(known.iterator().next());
    }

    /** {@code SWITCH:PORT}, at either end. */
    private static CableAt aCable(FabricSnapshot fabric, String text) {
        int colon = text.lastIndexOf(':');
        String digits = text.substring(colon + 1);
        if (colon < 1 || !digits.matches("\\d{1," + PORT_DIGITS_MAX + "}")) {
            throw RequestRefused.badRequest("'" + text + "' is no cable; expected SWITCH:PORT");
        }
        CableAt cable = new CableAt(aSwitch(fabric, text.substring(0, colon)).guid(), Integer.parseInt(digits));
        if (!fabric.knows(cable)) {
            throw RequestRefused.notFound("no cable '" + text + "'");
        }
        return cable;
    }

    private static HostPort aHost(FabricSnapshot fabric, String text) {
        Set<Long> found = new TreeSet<>(Long::compareUnsigned);
        for (ExpectedSwitch known : fabric.expected()) {
            for (ExpectedPort port : known.ports()) {
                if (port.neighbour() instanceof ToHost to
                        && (to.host().name().equals(text)
                                || Guid.format(to.host().portGuid()).equalsIgnoreCase(text))) {
                    found.add(to.host().portGuid());
                }
            }
        }
        if (found.size() > 1) {
            throw RequestRefused.badRequest(found.size() + " hosts are called '" + text + "': "
                    + found.stream().map(Guid::format).collect(Collectors.joining(", ")) + "; give the GUID");
        }
        if (found.isEmpty()) {
            throw RequestRefused.notFound("no host '" + text + "'");
        }
        return new HostPort(found.iterator().next());
    }
}
