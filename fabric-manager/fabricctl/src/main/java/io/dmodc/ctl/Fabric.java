package io.dmodc.ctl;

import io.dmodc.topology.FabricView;
import io.dmodc.topology.pgft.Degradation.Damage;

/** What {@link Inputs} loaded: the fabric to work on, where it came from and what was taken out of it. */
record Fabric(FabricView view, Source source, Damage damage) {}
