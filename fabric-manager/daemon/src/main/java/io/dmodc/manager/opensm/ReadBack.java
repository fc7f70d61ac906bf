package io.dmodc.manager.opensm;

import io.dmodc.manager.config.OpenSmSettings;
import io.dmodc.routing.LftSet;
import io.dmodc.topology.Guid;
import io.dmodc.topology.ibnet.LidMap;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Asks switches what they hold, several at a time: a command for each, which prints what {@code ibroute} does. For one thread. */
final class ReadBack {
    /** One that takes longer does not answer. */
    private static final Duration ANSWER_MAX = Duration.ofSeconds(10);

    /**
     * What a switch said.
     *
     * @param ports by LID; empty when it does not answer
     * @param failure why not, for people; else empty
     */
    record Held(SwitchTable table, byte[] ports, String failure) {
        boolean answered() {
            return failure.isEmpty();
        }
    }

    private final String command;
    private final Duration timeout;
    private final ExecutorService readers;

    ReadBack(OpenSmSettings settings) {
        command = settings.readBack();
        timeout = settings.commandTimeout().compareTo(ANSWER_MAX) < 0 ? settings.commandTimeout() : ANSWER_MAX;
        readers = Executors.newFixedThreadPool(settings.parallel(), task -> {
            Thread thread = new Thread(task, "opensm-read-back");
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Asks these, in this order.
     *
     * @param found how they are reached
     * @param enough asked before each: true when nobody wants to know any more
     * @param taker told what came of each that was asked, in this order, on this thread
     * @return how many were asked
     */
    int read(List<SwitchTable> switches, Discovery found, BooleanSupplier enough, Consumer<Held> taker)
            throws InterruptedException {
        DirectedPaths paths = new DirectedPaths(found);
        List<Future<Held>> asked = new ArrayList<>();
        for (SwitchTable each : switches) {
            asked.add(readers.submit(() -> enough.getAsBoolean() ? null : read(each, paths.to(each.guid()))));
        }
        int count = 0;
        for (Future<Held> each : asked) {
            try {
                Held one = each.get();
                if (one != null) {
                    taker.accept(one);
                    count++;
                }
            } catch (ExecutionException e) {
                throw new IllegalStateException("reading back", e.getCause());
            }
        }
        return count;
    }

    private Held read(SwitchTable table, @Nullable String path) throws InterruptedException {
        try {
            if (path == null && command.contains(OpenSmSettings.PATH)) {
                throw new CommandFailedException("no path from the host that looks at the fabric is known");
            }
            String ask = command.replace(OpenSmSettings.LID, Integer.toString(table.lid()))
                    .replace(OpenSmSettings.PATH, String.valueOf(path));
            return new Held(table, parse(new ChildCommand(ask, timeout).run(), table.guid()), "");
        } catch (CommandFailedException e) {
            return new Held(table, new byte[0], String.valueOf(e.getMessage()));
        }
    }

    /**
     * Reads what {@code ibroute} prints: lines {@code 0x0005 003}, whatever stands behind.
     *
     * @throws CommandFailedException if it is not of the switch with this GUID: its LID is another's by now
     */
    static byte[] parse(byte[] printed, long guid) throws CommandFailedException {
        byte[] ports = new byte[LidMap.LID_MAX + 1];
        Arrays.fill(ports, (byte) LftSet.NO_ROUTE);
        int max = 0;
        boolean its = false;
        for (int at = 0; at < printed.length; at = lineEnd(printed, at) + 1) {
            if (printed[at] == '0') {
                int lid = number(printed, at + 2, 16);
                int port = number(printed, at + 7, 10);
                if (lid < 1 || lid > LidMap.LID_MAX || port < 0 || port > LftSet.NO_ROUTE) {
                    throw new CommandFailedException("its table has a line without LID and port");
                }
                ports[lid] = (byte) port;
                max = Math.max(max, lid);
            } else if (printed[at] == 'U') {
                String head = new String(printed, at, lineEnd(printed, at) - at, StandardCharsets.ISO_8859_1);
                its = head.contains(" guid " + Guid.format(guid));
            }
        }
        if (!its) {
            throw new CommandFailedException("another switch has its LID");
        }
        return Arrays.copyOf(ports, max + 1);
    }

    private static int lineEnd(byte[] printed, int from) {
        int at = from;
        while (at < printed.length && printed[at] != '\n') {
            at++;
        }
        return at;
    }

    /** −1 if there is none. */
    private static int number(byte[] printed, int from, int radix) {
        int value = 0;
        int at = from;
        for (; at < printed.length && at < from + 4 && Character.digit(printed[at], radix) >= 0; at++) {
            value = value * radix + Character.digit(printed[at], radix);
        }
        return at == from ? -1 : value;
    }

    void close() {
        readers.shutdownNow();
    }
}
