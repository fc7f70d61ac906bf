package io.dmodc.topology.ibnet;

import io.dmodc.topology.FabricViewBuilder;

/**
 * A fabric as a file described it.
 *
 * @param fabric the cabling, ready to be drawn
 * @param lids addresses the file gave; switches by their GUID, hosts by their port GUID
 * @param summary what was taken and what was left
 */
public record IbnetFabric(FabricViewBuilder fabric, LidMap lids, ImportSummary summary) {}
