package io.dmodc.routing.quality;

/**
 * What one port between two switches bears.
 *
 * @param switchIndex whose port it is
 * @param stage index into {@link CongestionRisk#stages}
 * @param sources nodes that send through it in all-to-all traffic
 * @param destinations nodes that are sent to through it in all-to-all traffic
 * @param permutations highest risk in any of the permutations looked at
 * @param shifts highest risk in any of the shifts looked at
 */
public record PortRisk(
        int switchIndex,
        int port,
        int peerSwitch,
        int peerPort,
        int stage,
        int sources,
        int destinations,
        int permutations,
        int shifts) {

    /** Risk in all-to-all traffic. */
    public int allToAll() {
        return Math.min(sources, destinations);
    }
}
