package io.dmodc.manager.opensm;

import io.dmodc.manager.opensm.Discovery.FoundSwitch;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Switches that were there and are not now, and who they were: one that comes back is recognised without a look at all. At most
 * {@value #SWITCHES_MAX}; of more, those that are missed longest are forgotten. For one thread.
 */
final class LostSwitches {
    static final int SWITCHES_MAX = 4096;

    /**
     * One of them.
     *
     * @param was without any of its links
     * @param lid its address, and how many it had
     */
    record Lost(FoundSwitch was, int lid, int lmc) {}

    private final Map<Long, Lost> lost = new LinkedHashMap<>();

    /** What is believed is another fabric. */
    void changed(Discovery before, Discovery now) {
        lost.keySet().removeAll(now.switches().keySet());
        for (FoundSwitch each : before.switches().values()) {
            if (!now.switches().containsKey(each.guid())) {
                FoundSwitch was = new FoundSwitch(
                        each.guid(),
                        each.name(),
                        each.portCount(),
                        Collections.nCopies(each.portCount(), null),
                        Map.of());
                lost.put(
                        each.guid(),
                        new Lost(
                                was,
                                before.lids().lidOf(each.guid()),
                                before.lids().lmcOf(each.guid())));
            }
        }
        while (lost.size() > SWITCHES_MAX) {
            lost.remove(lost.keySet().iterator().next());
        }
    }

    /** Null if it is there, or never was. */
    @Nullable
    Lost of(long guid) {
        return lost.get(guid);
    }
}
