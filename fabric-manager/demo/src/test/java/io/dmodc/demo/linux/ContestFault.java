package io.dmodc.demo.linux;

import io.dmodc.demo.linux.FabricPlan.Cable;
import io.dmodc.demo.linux.FabricPlan.SwitchPlace;
import java.io.IOException;
import java.util.List;

/** What both sides have to cope with. */
enum ContestFault {
    CUT("carrier cut"),
    SILENT("silent cable"),
    OFF("switch off");

    private final String text;

    ContestFault(String text) {
        this.text = text;
    }

    String text() {
        return text;
    }

    /** Has all wait that is needed, so that the fault itself takes no time. */
    void prepare(FabricPlan plan, int round, FaultInjector faults) throws IOException {
        faults.prepare(cable(plan, round));
        faults.prepare(plan.switches().get(spine(plan, round)));
    }

    void inject(FabricPlan plan, int round, FaultInjector faults, ControlPlane contestant) throws IOException {
        switch (this) {
            case CUT -> faults.cut(cable(plan, round));
            case SILENT -> faults.silence(cable(plan, round));
            case OFF -> {
                int spine = spine(plan, round);
                faults.powerOff(plan.switches().get(spine), contestant.processesOf(spine));
            }
        }
    }

    void mend(FabricPlan plan, int round, FaultInjector faults, ControlPlane contestant) throws IOException {
        switch (this) {
            case CUT -> faults.mend(cable(plan, round));
            case SILENT -> faults.unsilence(cable(plan, round));
            case OFF -> {
                int spine = spine(plan, round);
                contestant.kill(spine);
                faults.powerOn(plan.switches().get(spine));
                contestant.restart(spine);
            }
        }
    }

    /** Another one in each round, all over the fabric. */
    private static Cable cable(FabricPlan plan, int round) {
        List<Cable> links = plan.links();
        return links.get(Math.floorMod(round * (links.size() / 2 + 1), links.size()));
    }

    /** Of the highest rank, in turns. */
    private static int spine(FabricPlan plan, int round) {
        int highest = plan.switches().stream().mapToInt(SwitchPlace::rank).max().orElseThrow();
        List<Integer> spines = plan.switches().stream()
                .filter(place -> place.rank() == highest)
                .map(place -> plan.switches().indexOf(place))
                .toList();
        return spines.get(round % spines.size());
    }
}
