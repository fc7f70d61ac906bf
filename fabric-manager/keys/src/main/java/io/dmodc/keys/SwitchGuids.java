package io.dmodc.keys;

import io.dmodc.southbound.SouthboundProtocol;
import io.dmodc.topology.Guid;
import java.util.Collections;
import java.util.Set;
import java.util.TreeSet;

/** Switches that get keys, each once, in order. */
final class SwitchGuids {
    private final Set<Long> guids = new TreeSet<>(Long::compareUnsigned);

    /** @throws IllegalArgumentException in one line when no switch can have it, or it is here already */
    void add(long guid) {
        if (guid == 0) {
            throw new IllegalArgumentException(Guid.format(guid) + ": no identity; expected the GUID of a switch");
        }
        if (SouthboundProtocol.isManagerGuid(guid)) {
            throw new IllegalArgumentException(
                    Guid.format(guid) + ": kept for managers; expected the GUID of a switch");
        }
        if (!guids.add(guid)) {
            throw new IllegalArgumentException(Guid.format(guid) + ": named twice; expected each switch once");
        }
    }

    Set<Long> all() {
        return Collections.unmodifiableSet(guids);
    }
}
