package io.dmodc.routing.quality;

/**
 * What flows meet, beside the worst port of all: the risk a flow meets is the highest of the ports on its way, the one
 * to its host included. Flows that do not arrive are left out.
 *
 * @param flows that arrive, of all patterns looked at
 * @param riskSum of the risks they meet
 * @param shared how many of them meet a risk of {@value #SHARED} or more
 */
public record FlowRisk(long flows, long riskSum, long shared) {
    /** From so many flows in one port on a flow counts as sharing. */
    public static final int SHARED = 3;

    static final FlowRisk NONE = new FlowRisk(0, 0, 0);

    FlowRisk plus(FlowRisk that) {
        return new FlowRisk(flows + that.flows, riskSum + that.riskSum, shared + that.shared);
    }

    /** The risk a flow meets on average; 0 without any flow. */
    public double mean() {
        return flows == 0 ? 0 : (double) riskSum / flows;
    }

    /** Share of the flows that meet a risk of {@value #SHARED} or more, 0..1; 0 without any flow. */
    public double sharedShare() {
        return flows == 0 ? 0 : (double) shared / flows;
    }
}
