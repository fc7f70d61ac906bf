package io.dmodc.manager.opensm;

import io.dmodc.routing.LftRow;
import io.dmodc.routing.LftSet;
import io.dmodc.routing.Parallel;
import io.dmodc.routing.check.TableCheck;
import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.topology.FabricView;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tables that lead to the switches themselves, by which tools and the subnet manager's agents are reached: Dmodc's, of the view
 * that is in force, checked like all others. They are in no epoch: all at once, without rounds. For one thread.
 */
final class SwitchRoutes {
    private static final Logger LOG = LoggerFactory.getLogger(SwitchRoutes.class);

    private @Nullable FabricView of;
    private @Nullable LftSet tables;

    /** Of this view; null where the check refuses them. */
    @SuppressWarnings("ReferenceEquality") // a view is a moment
    @Nullable
    LftSet of(FabricView view) {
        if (of != view) {
            LftSet made = Dmodc.standard().routeSwitches(view, Parallel.sequential());
            boolean valid = TableCheck.checkSwitchTables(view, made, Parallel.sequential())
                    .valid();
            if (!valid) {
                LOG.warn("epoch {}: tables to switches do not pass the check and are left out", view.epoch());
            }
            of = view;
            tables = valid ? sharing(made) : null;
        }
        return tables;
    }

    /** Rows that did not change stay the same objects, so that what is made of them need not be made again. */
    private LftSet sharing(LftSet made) {
        LftSet before = tables;
        if (before == null || before.switchCount() != made.switchCount() || before.entryCount() != made.entryCount()) {
            return made;
        }
        LftRow[] rows = new LftRow[made.switchCount()];
        for (int s = 0; s < rows.length; s++) {
            rows[s] = before.row(s).sameEntries(made.row(s)) ? before.row(s) : made.row(s);
        }
        return new LftSet(made.epoch(), made.entryCount(), rows);
    }
}
