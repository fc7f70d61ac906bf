package io.dmodc.agent.plane;

import io.dmodc.agent.plane.Forwarding.Drop;
import io.dmodc.agent.plane.Forwarding.Hop;
import io.dmodc.southbound.Alternatives;
import io.dmodc.southbound.TableDigest;
import io.dmodc.southbound.TurnTable;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * How a switch of a grid forwards: by the input class of a packet and its destination, and over an alternative of that destination, at once, while
 * the port of its table is down.
 *
 * <p>Alternatives that were told for one table are used with the next ones until others are told for these: a packet that misses its column takes
 * another one, whichever, and no packet goes round, since rows and columns take turns and its virtual channels end.
 *
 * <p>Immutable. A packet costs O(1), one over an alternative O(alternatives of its destination).
 */
final class TurnForwarding {
    private final TurnTable table;
    private final Alternatives alternatives;

    private TurnForwarding(TurnTable table, Alternatives alternatives) {
        this.table = table;
        this.alternatives = alternatives;
    }

    /**
     * Returns how a switch forwards by its next table.
     *
     * @param before by which it forwarded until then; null: by none of turns
     * @param told alternatives as last told
     */
    static TurnForwarding next(@Nullable TurnForwarding before, byte[] entries, Alternatives told) {
        Alternatives kept = before == null ? Alternatives.NONE : before.alternatives;
        return new TurnForwarding(TurnTable.of(entries), goWith(told, entries) ? told : kept);
    }

    private static boolean goWith(Alternatives told, byte[] entries) {
        return told.routesDigest() == TableDigest.of(entries);
    }

    /** Whether its alternatives were told for the table of these entries. */
    boolean hasAlternativesOf(byte[] entries) {
        return goWith(alternatives, entries);
    }

    TurnTable table() {
        return table;
    }

    Forwarding forward(int inPort, int vc, int destination, IntPredicate up, RandomGenerator random) {
        int inputClass = table.inputClass(inPort);
        if (inputClass == TurnTable.NONE) {
            return Drop.UNEXPECTED;
        }
        int port = choice(table.port(inputClass, destination), inPort, destination, up, random);
        return port == TurnTable.NONE ? Drop.NO_PORT : sent(inputClass, vc, port);
    }

    private Forwarding sent(int inputClass, int vc, int port) {
        int next = table.nextVc(inputClass, vc);
        if (next != TurnTable.NONE) {
            return new Hop(port, next);
        }
        return table.inputClass(port) == TurnTable.FROM_BELOW ? new Hop(port, vc) : Drop.NO_CHANNEL;
    }

    private int choice(int own, int inPort, int destination, IntPredicate up, RandomGenerator random) {
        if (own != inPort && up.test(own)) {
            return own;
        }
        int[] living = alternatives(destination)
                .filter(port -> port != inPort && up.test(port))
                .toArray();
        if (living.length > 0) {
            return living[random.nextInt(living.length)];
        }
        boolean back = own == inPort || alternatives(destination).anyMatch(port -> port == inPort);
        return back && up.test(inPort) ? inPort : TurnTable.NONE;
    }

    private IntStream alternatives(int destination) {
        byte[] ports = alternatives.at(destination);
        return IntStream.range(0, ports.length).map(i -> Byte.toUnsignedInt(ports[i]));
    }

    /** By which port a packet on virtual channel 0 leaves by the table alone, up or not; {@link TurnTable#NONE}: it is dropped. */
    int portByTable(int inPort, int destination) {
        int inputClass = table.inputClass(inPort);
        int port = inputClass == TurnTable.NONE ? TurnTable.NONE : table.port(inputClass, destination);
        boolean goes = port >= 1 && port < TurnTable.NONE && sent(inputClass, 0, port) instanceof Hop;
        return goes ? port : TurnTable.NONE;
    }

    /**
     * Counts the entries of ports that are down.
     *
     * @param down whether entries of a port count; up ports' do not
     * @param moved by port: plus those that lead over an alternative now
     * @param stranded by port: plus those that have none which is up
     */
    void countRepairs(IntPredicate down, IntPredicate up, int[] moved, int[] stranded) {
        for (int destination = 0; destination < table.destinationCount(); destination++) {
            for (int inputClass = 0; inputClass < TurnTable.INPUT_CLASSES; inputClass++) {
                int port = table.port(inputClass, destination);
                if (down.test(port)) {
                    (alternatives(destination).anyMatch(up) ? moved : stranded)[port]++;
                }
            }
        }
    }
}
