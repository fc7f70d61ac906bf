package io.dmodc.routing.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.dmodc.routing.dmodc.Dmodc;
import io.dmodc.topology.pgft.PgftShape;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Which switches are named as those that restore pairs, in tables of more than one span of columns. */
class RestoringSwitchesTest {
    @Test
    void shouldNameEveryLeafThatLeadsRoundALostLinkWhereverItsHostsAre() {
        int changed = 0;
        for (int run = 0; run < 20; run++) {
            ChangedFabric fabric =
                    new ChangedFabric(PgftShape.parse("2;64,20;1,4;1,1"), Dmodc.standard(), new SplittableRandom(run));
            fabric.cutCables(1);
            fabric.draw();

            ChangePlan plan = fabric.plan();

            for (int s = 0; s < fabric.works.switchCount(); s++) {
                if (fabric.works.isLeaf(s) && plan.changedBlocks(s) > 0) {
                    assertThat(plan.restoring().get(s))
                            .as("run %d, leaf %d", run, s)
                            .isTrue();
                    changed++;
                }
            }
        }
        assertThat(changed).isGreaterThan(20 * 15);
    }
}
