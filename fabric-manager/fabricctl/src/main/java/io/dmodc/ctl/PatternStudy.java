package io.dmodc.ctl;

import io.dmodc.routing.quality.FlowRisk;
import io.dmodc.routing.quality.PatternRisk;
import io.dmodc.routing.quality.Progress;
import io.dmodc.routing.quality.RiskSeries;

/**
 * All that {@code quality} asks of patterns of one kind.
 *
 * @param least of each pattern, by the cuts of the fabric
 * @param flows what their flows meet
 */
record PatternStudy(PatternRisk risk, RiskSeries least, FlowRisk flows) {
    static PatternStudy of(PatternRisk risk, Progress progress) {
        return new PatternStudy(risk, risk.least(), risk.flows(progress));
    }
}
