package io.dmodc.manager.loop;

import io.dmodc.routing.RoutingEngine;
import io.dmodc.routing.check.SurplusEntryRule;

/**
 * An engine, and by what its tables are checked.
 *
 * @param surplus whether it may write entries where no legal path exists
 */
public record CheckedEngine(RoutingEngine engine, SurplusEntryRule surplus) {}
