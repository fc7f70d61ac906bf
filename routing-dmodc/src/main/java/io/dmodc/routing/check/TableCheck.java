package io.dmodc.routing.check;
import io.dmodc.routing.*;
import io.dmodc.topology.FabricView;
/** temp */
public final class TableCheck { private TableCheck() {} public static CheckReport check(FabricView v, LftSet t, Parallel p) { return new CheckReport(true, ""); } }
