package io.dmodc.topology.ibnet;

import io.dmodc.topology.FabricViewBuilder;
import io.dmodc.topology.LinkRates;

/**
 * A fabric as a file described it.
 *
 * @param fabric the cabling, ready to be drawn
 * @param lids addresses the file gave; switches by their GUID, hosts by their port GUID
 * @param summary what was taken and what was left
 * @param rates width and speed of the links of switches, as far as the file told
 */
public record IbnetFabric(FabricViewBuilder fabric, LidMap lids, ImportSummary summary, LinkRates rates) {}
