package io.dmodc.demo.linux;

import io.dmodc.demo.linux.FabricPlan.Cable;
import io.dmodc.demo.linux.FabricPlan.End;
import io.dmodc.demo.linux.FabricPlan.SwitchPlace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What happens to cables and switches. A cable is cut by setting the interface of its second end down: the first end loses its carrier, and
 * the kernel takes the routes of the second away. A deaf cable keeps its carrier and carries nothing: the queues before both ends have
 * no room for any packet. Used by one thread.
 */
final class FaultInjector implements AutoCloseable {
    private final NamespaceFabric fabric;
    private final NamespaceShell shell = new NamespaceShell();

    FaultInjector(NamespaceFabric fabric) {
        this.fabric = fabric;
    }

    /** Has all that is needed for faults of this cable wait for them. */
    void prepare(Cable cable) throws IOException {
        for (End end : List.of(cable.first(), cable.second())) {
            shell.prepare("ip", end.namespace());
            shell.prepare("tc", end.namespace());
        }
    }

    void prepare(SwitchPlace place) throws IOException {
        shell.prepare("ip", place.namespace());
    }

    void cut(Cable cable) throws IOException {
        set(cable.second(), "down");
    }

    void mend(Cable cable) throws IOException {
        set(cable.second(), "up");
    }

    private void set(End end, String state) throws IOException {
        shell.say("ip", end.namespace(), List.of("link set " + end.device() + " " + state));
    }

    /** Nothing goes through any more, either way. */
    void silence(Cable cable) throws IOException {
        mute(cable.first());
        mute(cable.second());
    }

    /** Nothing goes from its first end to its second any more; the other way it does. */
    void silenceOneWay(Cable cable) throws IOException {
        mute(cable.first());
    }

    private void mute(End end) throws IOException {
        shell.say("tc", end.namespace(), List.of("qdisc replace dev " + end.device() + " root pfifo limit 0"));
    }

    /** It carries again, both ways. */
    void unsilence(Cable cable) throws IOException {
        for (End end : List.of(cable.first(), cable.second())) {
            shell.say("tc", end.namespace(), List.of("qdisc delete dev " + end.device() + " root"));
        }
    }

    /**
     * All its ports go down, that of the management network first: nobody there is told that its connections end. Ports go one after the other, and
     * a switch without power does nothing about those that went: its programs are stopped before. They are to be killed before power is back,
     * and not yet: processes that end take time of the processor, which the others need for the fault.
     */
    void powerOff(SwitchPlace place, List<Process> programs) throws IOException {
        String stopped = SwitchLoad.withChildren(programs).stream()
                .map(program -> Long.toString(program.pid()))
                .collect(Collectors.joining(" "));
        List<String> lines = new ArrayList<>(fabric.downLines(place.namespace()));
        lines.add(0, lines.remove(lines.size() - 1));
        Commands.tryRun(List.of("sh", "-c", "kill -STOP " + stopped), "");
        shell.say("ip", place.namespace(), lines);
    }

    void powerOn(SwitchPlace place) throws IOException {
        shell.say("ip", place.namespace(), fabric.upLines(place.namespace()));
    }

    @Override
    public void close() {
        shell.close();
    }
}
