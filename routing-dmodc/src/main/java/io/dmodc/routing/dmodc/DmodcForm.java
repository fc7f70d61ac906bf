package io.dmodc.routing.dmodc;

import io.dmodc.topology.GroupOrder;

/** The forms of Dmodc, by the names operators use. */
enum DmodcForm {
    /** Up and down only, descents by their own divider, groups by plane. */
    DMODC("dmodc", CandidateRule.STRICT, GroupOrder.PLANE),

    /** Up and down only, and otherwise the paper's arithmetic: one divider for both ways, groups by GUID. */
    STRICT("dmodc-strict", CandidateRule.STRICT, GroupOrder.GUID),

    /** As printed. */
    PLAIN("dmodc-plain", CandidateRule.PLAIN, GroupOrder.GUID);

    final String engine;
    final CandidateRule rule;
    final GroupOrder order;

    DmodcForm(String engine, CandidateRule rule, GroupOrder order) {
        this.engine = engine;
        this.rule = rule;
        this.order = order;
    }

    /** True if a choice among several groups below counts by Π↓ instead of Π. */
    boolean hasDescentDivider() {
        return this == DMODC;
    }
}
