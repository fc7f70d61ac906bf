package io.dmodc.manager.opensm;

import io.dmodc.manager.opensm.Discovery.Changes;
import io.dmodc.manager.opensm.Discovery.FoundSwitch;
import io.dmodc.manager.opensm.Discovery.PortEnd;
import io.dmodc.manager.opensm.LostSwitches.Lost;
import io.dmodc.subnet.DirectedPaths;
import io.dmodc.subnet.LinkInfoText.FarEnd;
import io.dmodc.subnet.LinkInfoText.SwitchLinks;
import io.dmodc.topology.FabricChange.Neighbour;
import io.dmodc.topology.FabricChange.ToHost;
import io.dmodc.topology.FabricChange.ToSwitch;
import io.dmodc.topology.Guid;
import io.dmodc.topology.LinkRate;
import io.dmodc.topology.SwitchClaims.PortClaim;
import io.dmodc.topology.ibnet.LidMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Future;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Looks only at switches that OpenSM's log names, in the time that OpenSM needs to find out by itself, and tells which cables between
 * switches are gone or there again, and which switches.
 *
 * <p>What it is sure of: a cable is gone if both its ends were asked and say that their port is down. It is there again if both were asked and each
 * names the other, by GUID, LID and port. A switch is gone if it does not
 * answer, and each of its cables to other switches is down at the other end. It is there again if it was known, has the LID and the number of
 * ports it had, leads to switches only, and each cable that it says is up is there again. All ports of a switch that was asked are as they were but
 * for these: down or up, with the GUID, LID and port that each leads to; so are its own GUID, LID and number of ports. If anything else is
 * found (a host that came or is gone, a switch nobody knows, a cable that is down at one end, another GUID or LID) nothing is told: the whole fabric is to
 * be looked at. What it assumes, and what that look has to confirm: nothing happened at switches that were not asked, and links that are trained
 * to the same carry the same. If something did, tables
 * that are made of this may lead where nothing is any more, as those in force do; nothing is taken to work that was not
 * taken so before, or that its two ends do not say.
 *
 * <p>Asked are at most {@value #SWITCHES_MAX} switches in {@value #ROUNDS_MAX} rounds; none where more are to be asked than can be at a time, and a look at all
 * took less when it was taken last than that would, by what it took to ask as many as can be. No round begins after the limit of {@link SwitchAsker}, and after twice
 * that time nothing is waited for. For one thread.
 */
final class NamedSwitchLook {
    /** A lost switch has up to 64 beside it, and where one of these does not answer in time, those beside it are asked, too. */
    static final int SWITCHES_MAX = 128;

    static final int ROUNDS_MAX = 5;

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

    private final SwitchAsker asker;
    private final LongSupplier clock;

    /** What a switch took when as many as are asked at a time were asked last, and all answered, or not all but nothing else was known; 0 while nobody knows. */
    private long ofOneNanos;

    /** @param clock monotonic nanoseconds */
    NamedSwitchLook(SwitchAsker asker, LongSupplier clock) {
        this.asker = asker;
        this.clock = clock;
    }

    /**
     * Looks.
     *
     * @param before what is believed
     * @param lost switches that were there before
     * @param named asked again and again: there may be more meanwhile
     * @param noticedNanos when the first did
     * @return what is believed without what is gone and with what is there again; {@code before} if nothing is
     * @throws UnclearException if only a look at the whole fabric tells
     */
    Discovery look(Discovery before, LostSwitches lost, NamedSwitches named, long noticedNanos)
            throws UnclearException, InterruptedException {
        Look look = new Look(before, lost, named);
        look.askAll();
        Set<Long> gone = look.gone();
        look.checkBothEnds(gone);
        Map<PortEnd, PortClaim> back = look.backAtBothEnds();
        return look.down.isEmpty() && back.isEmpty()
                ? before
                : before.after(
                        new Changes(look.downAtBothEnds(), gone, back, look.again()), noticedNanos, clock.getAsLong());
    }

    /** What was found so far. */
    private final class Look {
        private final Discovery before;
        private final LostSwitches lost;
        private final NamedSwitches named;
        private final long begunNanos = clock.getAsLong();

        /** By GUID, what those said that answered. */
        private final Map<Long, SwitchLinks> seen = new HashMap<>();

        /** Those that did not, with the path by which they were asked last. */
        private final Map<Long, String> silent = new TreeMap<>(Long::compareUnsigned);

        /** Ends that say that their port is down, and what was behind. */
        private final Map<PortEnd, PortEnd> down = new LinkedHashMap<>();

        /** Ends that were down and say that a known switch is behind. */
        private final Map<PortEnd, FarEnd> back = new LinkedHashMap<>();

        Look(Discovery before, LostSwitches lost, NamedSwitches named) {
            this.before = before;
            this.lost = lost;
            this.named = named;
        }

        void askAll() throws UnclearException, InterruptedException {
            for (int round = 0; ; round++) {
                Map<Long, String> next = next();
                if (next.isEmpty()) {
                    return;
                }
                if (round == ROUNDS_MAX || clock.getAsLong() - begunNanos > asker.limitNanos()) {
                    throw new UnclearException("no end within " + round + " rounds");
                }
                if (seen.size() + silent.size() + next.size() > SWITCHES_MAX) {
                    throw new UnclearException("more than " + SWITCHES_MAX + " switches to ask");
                }
                if (next.size() > asker.parallel() && asker.isSlowerThanAll(next.size() * ofOneNanos)) {
                    throw new UnclearException("to ask " + next.size() + " switches takes longer");
                }
                ask(next);
            }
        }

        /** Whom to ask, and by which path: who was named, and who is behind a port that is down or up again; then who is beside one that does not answer. */
        private Map<Long, String> next() throws UnclearException {
            Discovery reached = before.after(Changes.lost(downAtBothEnds(), Set.of()), 0, 0);
            Set<Long> wanted = new TreeSet<>(named.byNow());
            down.values().forEach(end -> wanted.add(end.guid()));
            back.values().forEach(end -> wanted.add(end.guid()));
            Map<Long, String> next = askable(wanted, reached.paths());
            if (next.isEmpty() && !silent.isEmpty()) {
                Set<Long> beside = new TreeSet<>();
                silent.keySet().forEach(guid -> cables(guid).values().forEach(end -> beside.add(end.guid())));
                next = askable(
                        beside,
                        before.after(Changes.lost(downAtBothEnds(), silent.keySet()), 0, 0)
                                .paths());
            }
            return next;
        }

        private Map<Long, String> askable(Set<Long> wanted, DirectedPaths paths) throws UnclearException {
            Map<Long, String> next = new TreeMap<>(Long::compareUnsigned);
            for (long guid : wanted) {
                String path = before.switches().containsKey(guid) ? paths.to(guid) : pathAgain(guid, paths);
                if (!seen.containsKey(guid) && path == null) {
                    silent.putIfAbsent(guid, "");
                } else if (path != null && !seen.containsKey(guid) && !path.equals(silent.get(guid))) {
                    next.put(guid, path);
                }
            }
            return next;
        }

        /** To one that is there again, by a cable that is. */
        private String pathAgain(long guid, DirectedPaths paths) throws UnclearException {
            for (Map.Entry<PortEnd, FarEnd> each : back.entrySet()) {
                String near = paths.to(each.getKey().guid());
                if (each.getValue().guid() == guid && near != null) {
                    return near + "," + each.getKey().port();
                }
            }
            throw new UnclearException("unknown switch " + Guid.format(guid));
        }

        private void ask(Map<Long, String> next) throws UnclearException, InterruptedException {
            long askedNanos = clock.getAsLong();
            boolean allAnswer = true;
            Map<Long, Future<@Nullable SwitchLinks>> answers = asker.ask(next);
            for (Map.Entry<Long, Future<@Nullable SwitchLinks>> each : answers.entrySet()) {
                if (clock.getAsLong() - begunNanos > 2 * asker.limitNanos()) {
                    answers.values().forEach(late -> late.cancel(true));
                    throw new UnclearException("switches take too long to answer");
                }
                SwitchLinks links = SwitchAsker.answer(each.getValue());
                long guid = each.getKey();
                if (links == null) {
                    silent.put(guid, String.valueOf(next.get(guid)));
                    allAnswer = false;
                } else {
                    silent.remove(guid);
                    seen.put(guid, links);
                    compare(foundSwitch(guid), links);
                }
            }
            if ((allAnswer || ofOneNanos == 0) && next.size() >= asker.parallel()) {
                ofOneNanos = (clock.getAsLong() - askedNanos) / next.size();
            }
        }

        private FoundSwitch foundSwitch(long guid) {
            FoundSwitch found = before.switches().get(guid);
            Lost was = lost.of(guid);
            if (found != null) {
                return found;
            }
            if (was != null) {
                return was.was();
            }
            throw new IllegalStateException("no switch " + Guid.format(guid));
        }

        private int lidOf(long guid) {
            Lost was = lost.of(guid);
            return was == null ? before.lids().lidOf(guid) : was.lid();
        }

        private void compare(FoundSwitch was, SwitchLinks is) throws UnclearException {
            if (is.guid() != was.guid()
                    || is.lid() != lidOf(was.guid())
                    || is.ports().size() != was.portCount()) {
                throw new UnclearException(was.name() + " is another switch, or has another LID");
            }
            for (int port = 1; port <= was.portCount(); port++) {
                Neighbour neighbour = was.ports().get(port - 1);
                FarEnd now = is.ports().get(port - 1);
                if (now == null && neighbour instanceof ToSwitch to) {
                    down.put(new PortEnd(was.guid(), port), new PortEnd(to.guid(), to.port()));
                } else if (neighbour == null && now != null && isKnownSwitch(now)) {
                    back.put(new PortEnd(was.guid(), port), now);
                } else if (!isAsItWas(neighbour, now)) {
                    throw new UnclearException(was.name() + " port " + port
                            + " changed otherwise than by a cable to a switch that is lost or back");
                }
            }
        }

        private boolean isKnownSwitch(FarEnd end) {
            return (before.switches().containsKey(end.guid()) || lost.of(end.guid()) != null)
                    && end.lid() == lidOf(end.guid());
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

        /** What each end of a cable that is there again says; with what that carries, which one of them knows. */
        Map<PortEnd, PortClaim> backAtBothEnds() throws UnclearException {
            Map<PortEnd, PortClaim> both = new HashMap<>();
            for (Map.Entry<PortEnd, FarEnd> each : back.entrySet()) {
                PortEnd near = each.getKey();
                PortEnd far =
                        new PortEnd(each.getValue().guid(), each.getValue().port());
                FarEnd farSays = back.get(far);
                String trained = each.getValue().trained();
                if (farSays == null
                        || farSays.guid() != near.guid()
                        || farSays.port() != near.port()
                        || !farSays.trained().equals(trained)) {
                    throw new UnclearException(foundSwitch(near.guid()).name() + " port " + near.port()
                            + " is up, and what it leads to does not say so");
                }
                LinkRate rate = rate(near.guid(), trained)
                        .or(() -> rate(far.guid(), trained))
                        .orElseThrow(() -> new UnclearException("no other link is trained to " + trained));
                both.put(near, new PortClaim(near.port(), true, new ToSwitch(far.guid(), far.port()), false, rate));
            }
            return both;
        }

        /** What links of a switch carry that were trained to this, by one whose rate is known: nobody reads names of speeds. */
        private Optional<LinkRate> rate(long guid, String trained) {
            FoundSwitch was = foundSwitch(guid);
            SwitchLinks is = seen.get(guid);
            for (int port = 1; is != null && port <= was.portCount(); port++) {
                FarEnd other = is.ports().get(port - 1);
                LinkRate rate = was.rates().get(port);
                if (rate != null && other != null && other.trained().equals(trained)) {
                    return Optional.of(rate);
                }
            }
            return Optional.empty();
        }

        /** Switches that are there again. */
        Map<Long, Lost> again() throws UnclearException {
            if (back.isEmpty()) {
                return Map.of();
            }
            Map<Long, Lost> again = new HashMap<>();
            LidMap dealt = before.lids().copy();
            for (PortEnd end : back.keySet()) {
                Lost was = lost.of(end.guid());
                if (was != null && again.put(end.guid(), was) == null && !dealt.put(end.guid(), was.lid(), was.lmc())) {
                    throw new UnclearException("LID " + was.lid() + " belongs to another by now");
                }
            }
            return again;
        }

        Set<PortEnd> downAtBothEnds() {
            Set<PortEnd> both = new HashSet<>(down.keySet());
            both.addAll(down.values());
            return both;
        }
    }
}
