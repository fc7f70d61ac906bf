package io.dmodc.routing.vtftr.check;

import java.util.BitSet;

/**
 * What a root does with packets for a destination.
 *
 * @param primary place in its line, or −1
 * @param spares places in its line, not to be changed
 */
record RootEntry(int primary, BitSet spares) {}
