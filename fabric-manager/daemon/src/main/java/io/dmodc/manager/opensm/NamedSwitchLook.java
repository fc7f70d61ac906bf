package io.dmodc.manager.opensm;

import io.dmodc.manager.opensm.Discovery.FoundSwitch;
import io.dmodc.manager.opensm.Discovery.PortEnd;
import io.dmodc.subnet.ChildCommand;
import io.dmodc.subnet.CommandFailedException;
import io.dmodc.subnet.DirectedPaths;
import io.dmodc.subnet.LinkInfoText;
import io.dmodc.subnet.LinkInfoText.FarEnd;
import io.dmodc.subnet.LinkInfoText.SwitchLinks;
import io.dmodc.subnet.OpenSmSettings;
import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.Guid;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Looks only at switches that OpenSM's log names, in the time that OpenSM needs to find out by itself, and tells which cables between
 * switches are gone.
 *
 * <p>What it is sure of: a cable is gone if both its ends were asked and say that their port is down. A switch is gone if it does not
 * answer, and each of its cables to other switches is down at the other end. All ports of a switch that was asked are as they were but
 * for these: down or up, with the GUID, LID and port that each leads to; so are its own GUID, LID and number of ports. If anything else is
 * found (a port that came up, a host that is gone, a cable that is down at one end, another GUID or LID) nothing is told: the whole fabric is to
 * be looked at. What it assumes, and what that look has to confirm: nothing happened at switches that were not asked. If it did, tables
 * that are made of this are wrong where the tables in force are wrong already, and nowhere else, as nothing is taken to work that was not
 * taken so before.
 *
 * <p>Asked are at most {@value #SWITCHES_MAX} switches in {@value #ROUNDS_MAX} rounds, {@code parallel} at a time; a
 * command that takes a second is killed, and no round begins a second after the first. For one thread.
 */
final class NamedSwitchLook implements AutoCloseable {
    static final int SWITCHES_MAX = 32;
    static final int ROUNDS_MAX = 5;
    private static final Duration COMMAND_MAX = Duration.ofSeconds(1);
    private static final long NANOS_MAX = TimeUnit.SECONDS.toNanos(1);

    /** Too little can be said; why, for people. */
    static final class UnclearException extends Exception {
        private static final long serialVersionUID = 1L;

        UnclearException(String message) {
            super(message);
        }
    }

    /** Who says that something happened. */
    interface NamedSwitches {
        /**
         * By GUID, so far.
         *
         * @throws UnclearException if something happened that no switch of these tells
         */
        Set<Long> byNow() throws UnclearException;
    }

    private final String command;
    private final Duration timeout;
    private final ExecutorService askers;
    private final LongSupplier clock;

    /**
     * @param command with {@link OpenSmSettings#PATH} in it
     * @param clock monotonic nanoseconds
     */
    NamedSwitchLook(String command, OpenSmSettings settings, LongSupplier clock) {
        this.command = command;
        this.clock = clock;
        timeout = settings.commandTimeout().compareTo(COMMAND_MAX) < 0 ? settings.commandTimeout() : COMMAND_MAX;
        askers = Executors.newFixedThreadPool(settings.parallel(), task -> {
            Thread thread = new Thread(task, "opensm-switch-look");
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Looks.
     *
     * @param before what is believed
     * @param named asked again and again: there may be more meanwhile
     * @param noticedNanos when the first did
     * @return what is believed without what is gone; {@code before} if nothing is
     * @throws UnclearException if only a look at the whole fabric tells
     */
    Discovery look(Discovery before, NamedSwitches named, long noticedNanos)
            throws UnclearException, InterruptedException {
        Look look = new Look(before, named);
        look.askAll();
        Set<Long> gone = look.gone();
        look.checkBothEnds(gone);
        return look.down.isEmpty()
                ? before
                : before.without(look.downAtBothEnds(), gone, noticedNanos, clock.getAsLong());
    }

    /** What was found so far. */
    private final class Look {
        private final Discovery before;
        private final NamedSwitches named;
        private final long begunNanos = clock.getAsLong();

        /** By GUID, those that answered. */
        private final Set<Long> seen = new HashSet<>();

        /** Those that did not, with the path by which they were asked last. */
        private final Map<Long, String> silent = new TreeMap<>(Long::compareUnsigned);

        /** Ends that say that their port is down, and what was behind. */
        private final Map<PortEnd, PortEnd> down = new LinkedHashMap<>();

        Look(Discovery before, NamedSwitches named) {
            this.before = before;
            this.named = named;
        }

        void askAll() throws UnclearException, InterruptedException {
            for (int round = 0; ; round++) {
                Map<Long, String> next = next();
                if (next.isEmpty()) {
                    return;
                }
                if (round == ROUNDS_MAX || clock.getAsLong() - begunNanos > NANOS_MAX) {
                    throw new UnclearException("no end within " + round + " rounds");
                }
                if (seen.size() + silent.size() + next.size() > SWITCHES_MAX) {
                    throw new UnclearException("more than " + SWITCHES_MAX + " switches to ask");
                }
                ask(next);
            }
        }

        /** Whom to ask, and by which path: who was named, and who is behind a port that is down; then who is beside one that does not answer. */
        private Map<Long, String> next() throws UnclearException {
            Discovery reached = before.without(downAtBothEnds(), Set.of(), 0, 0);
            Set<Long> wanted = new TreeSet<>(named.byNow());
            down.values().forEach(end -> wanted.add(end.guid()));
            Map<Long, String> next = askable(wanted, reached.paths());
            if (next.isEmpty() && !silent.isEmpty()) {
                Set<Long> beside = new TreeSet<>();
                silent.keySet().forEach(guid -> cables(guid).values().forEach(end -> beside.add(end.guid())));
                next = askable(
                        beside,
                        before.without(downAtBothEnds(), silent.keySet(), 0, 0).paths());
            }
            return next;
        }

        private Map<Long, String> askable(Set<Long> wanted, DirectedPaths paths) throws UnclearException {
            Map<Long, String> next = new TreeMap<>(Long::compareUnsigned);
            for (long guid : wanted) {
                if (!before.switches().containsKey(guid)) {
                    throw new UnclearException("unknown switch " + Guid.format(guid));
                }
                String path = paths.to(guid);
                if (!seen.contains(guid) && path == null) {
                    silent.putIfAbsent(guid, "");
                } else if (path != null && !seen.contains(guid) && !path.equals(silent.get(guid))) {
                    next.put(guid, path);
                }
            }
            return next;
        }

        private void ask(Map<Long, String> next) throws UnclearException, InterruptedException {
            Map<Long, Future<@Nullable SwitchLinks>> answers = new LinkedHashMap<>();
            next.forEach((guid, path) -> answers.put(guid, askers.submit(() -> NamedSwitchLook.this.ask(path))));
            for (Map.Entry<Long, Future<@Nullable SwitchLinks>> each : answers.entrySet()) {
                SwitchLinks links = answer(each.getValue());
                long guid = each.getKey();
                if (links == null) {
                    silent.put(guid, String.valueOf(next.get(guid)));
                } else {
                    silent.remove(guid);
                    seen.add(guid);
                    compare(foundSwitch(guid), links);
                }
            }
        }

        private FoundSwitch foundSwitch(long guid) {
            FoundSwitch found = before.switches().get(guid);
            if (found == null) {
                throw new IllegalStateException("no switch " + Guid.format(guid));
            }
            return found;
        }

        private void compare(FoundSwitch was, SwitchLinks is) throws UnclearException {
            if (is.guid() != was.guid()
                    || is.lid() != before.lids().lidOf(was.guid())
                    || is.ports().size() != was.portCount()) {
                throw new UnclearException(was.name() + " is another switch, or has another LID");
            }
            for (int port = 1; port <= was.portCount(); port++) {
                Neighbour neighbour = was.ports().get(port - 1);
                FarEnd now = is.ports().get(port - 1);
                if (now == null && neighbour instanceof ToSwitch to) {
                    down.put(new PortEnd(was.guid(), port), new PortEnd(to.guid(), to.port()));
                } else if (!isAsItWas(neighbour, now)) {
                    throw new UnclearException(
                            was.name() + " port " + port + " changed otherwise than by a lost cable to a switch");
                }
            }
        }

        private boolean isAsItWas(@Nullable Neighbour was, @Nullable FarEnd is) {
            if (was == null || is == null) {
                return was == null && is == null;
            }
            if (was instanceof ToHost to) {
                return isEnd(is, to.host().portGuid(), to.host().hostPort());
            }
            return was instanceof ToSwitch to && isEnd(is, to.guid(), to.port());
        }

        private boolean isEnd(FarEnd is, long guid, int port) {
            return is.guid() == guid
                    && is.port() == port
                    && is.lid() == before.lids().lidOf(guid);
        }

        /** Those that do not answer, and of which nobody says that a cable to them is there. */
        Set<Long> gone() throws UnclearException {
            for (long guid : silent.keySet()) {
                if (cables(guid).isEmpty()) {
                    throw new UnclearException(foundSwitch(guid).name() + " does not answer, and no cable leads to it");
                }
                for (Map.Entry<PortEnd, PortEnd> cable : cables(guid).entrySet()) {
                    if (!cable.getKey().equals(down.get(cable.getValue()))) {
                        throw new UnclearException(foundSwitch(guid).name()
                                + " does not answer, and not all its cables are seen to be down");
                    }
                }
            }
            return Set.copyOf(silent.keySet());
        }

        /** From ends of a switch to what they led to. */
        private Map<PortEnd, PortEnd> cables(long guid) {
            FoundSwitch of = foundSwitch(guid);
            Map<PortEnd, PortEnd> cables = new HashMap<>();
            for (int port = 1; port <= of.portCount(); port++) {
                if (of.ports().get(port - 1) instanceof ToSwitch to) {
                    cables.put(new PortEnd(guid, port), new PortEnd(to.guid(), to.port()));
                }
            }
            return cables;
        }

        void checkBothEnds(Set<Long> gone) throws UnclearException {
            for (Map.Entry<PortEnd, PortEnd> each : down.entrySet()) {
                PortEnd far = each.getValue();
                if (!gone.contains(far.guid()) && !each.getKey().equals(down.get(far))) {
                    throw new UnclearException(foundSwitch(each.getKey().guid()).name() + " port "
                            + each.getKey().port() + " is down, and its other end is not");
                }
            }
        }

        Set<PortEnd> downAtBothEnds() {
            Set<PortEnd> both = new HashSet<>(down.keySet());
            both.addAll(down.values());
            return both;
        }
    }

    private @Nullable SwitchLinks ask(String path) throws InterruptedException {
        try {
            return LinkInfoText.links(new ChildCommand(command.replace(OpenSmSettings.PATH, path), timeout).run());
        } catch (CommandFailedException e) {
            return null; // It does not answer, for all that is known.
        }
    }

    private static @Nullable SwitchLinks answer(Future<@Nullable SwitchLinks> asked) throws InterruptedException {
        try {
            return asked.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("looking at a switch", e.getCause());
        }
    }

    @Override
    public void close() {
        askers.shutdownNow();
    }
}
