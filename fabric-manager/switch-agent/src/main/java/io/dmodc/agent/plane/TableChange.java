package io.dmodc.agent.plane;

import io.dmodc.southbound.Alternatives;
import java.util.BitSet;

/**
 * A table on its way into force. Nobody changes any of it.
 *
 * @param before what the switch forwards with until then
 * @param table what it is to forward with
 * @param changed indices of entries that differ, or whose destination is another or has other alternatives than when they were written;
 *     all others may be left alone. Such an index may lie behind the end of {@code table}: it has no route any more. With a table of
 *     another kind than {@code before}: all of its entries, and nothing of those before holds
 * @param destinations what indices stand for; {@link Destinations#NONE} for a plane that does not ask for them
 * @param alternatives by which other ports destinations can be reached, as last told: where they go with other routes
 *     ({@link Alternatives#routesDigest}) they may lead a packet round until they are told anew, a moment later.
 *     {@link Alternatives#NONE} for a plane that does not ask for them
 */
public record TableChange(
        InstalledTable before,
        InstalledTable table,
        BitSet changed,
        Destinations destinations,
        Alternatives alternatives) {}
