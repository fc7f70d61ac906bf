package io.dmodc.ctl;

import io.dmodc.routing.engines.Engines;
import java.util.Iterator;

/** What {@code --engine} may be, for help and completion. */
final class EngineNames implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
        return Engines.names().iterator();
    }
}
