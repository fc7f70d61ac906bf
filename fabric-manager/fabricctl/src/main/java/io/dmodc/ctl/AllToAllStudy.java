package io.dmodc.ctl;

import io.dmodc.routing.quality.CongestionRisk;
import io.dmodc.routing.quality.FlowRisk;

/**
 * All that {@code quality} asks of all-to-all traffic.
 *
 * @param least by the cuts of the fabric
 * @param flows what its flows meet
 */
record AllToAllStudy(int risk, int least, FlowRisk flows) {
    static AllToAllStudy of(CongestionRisk risk) {
        return new AllToAllStudy(risk.allToAll(), risk.allToAllLeast(), risk.allToAllFlows());
    }
}
