package io.dmodc.ctl.report;

import io.dmodc.routing.quality.Progress;
import java.util.function.Function;

/** Lets a person who waits see how far a piece of work is. */
public interface WorkProgress {
    /** Does the work and shows what its progress hears. */
    <T> T during(String what, Function<Progress, T> work);
}
