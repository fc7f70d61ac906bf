package io.dmodc.manager.northbound;

import io.dmodc.manager.core.FabricSnapshot;
import io.dmodc.manager.core.SwitchSnapshot;
import io.dmodc.manager.northbound.answer.DownCables;
import io.dmodc.manager.northbound.answer.ExplainAnswer;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Tables;
import io.dmodc.topology.FabricView;
import java.util.Set;

/** {@code /explain}: why a switch sends packets to a node where it does. */
final class ExplainApi {
    static final Set<String> PARAMETERS = Set.of("switch", "node");

    private final String engine;

    /** @param engine by its name in the settings */
    ExplainApi(String engine) {
        this.engine = engine;
    }

    ExplainAnswer explain(Parameters parameters, FabricSnapshot fabric) {
        String at = parameters.required("switch");
        String to = parameters.required("node");
        FabricView view = fabric.view();
        Tables inForce = fabric.tables();
        if (view == null || inForce == null) {
            throw RequestRefused.notFound("no tables yet");
        }
        if (!(inForce instanceof LftSet tables)) {
            throw RequestRefused.notFound(
                    "only tables by destination alone are explained; of a grid, path shows how a packet goes");
        }
        SwitchSnapshot record = SwitchNames.find(fabric, at);
        int s = view.switchOf(record.guid());
        if (s < 0) {
            throw RequestRefused.notFound(record.name() + " is not part of the fabric yet");
        }
        int node = NodeNames.find(view, DownCables.of(fabric), to);
        String chosen = fabric.intent().engineName();
        return ExplainAnswer.of(chosen.isEmpty() ? engine : chosen, fabric, view, tables, record, s, node);
    }
}
