package io.dmodc.manager.core;

import io.dmodc.manager.core.FabricEvent.TransitReported;
import io.dmodc.manager.core.SwitchRecord.Condition;
import io.dmodc.manager.core.SwitchRecord.Forwarding;
import io.dmodc.routing.LftRow;
import io.dmodc.routing.TurnTableSet;
import io.dmodc.topology.FabricChange.ToSwitch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Whether switches without an agent forward: hellos go in at a neighbour, by the table that the switch holds out at another one,
 * and back the same way. One that comes back proves it. None proves nothing by itself: the cable, the agents at either end or the
 * planes of both may be at fault. So a switch is held hung only if in a second round at once, by all its cables,
 *
 * <ul>
 *   <li>nothing came back from either end of any passage,
 *   <li>both ends of some passages got an answer through another switch meanwhile,
 *   <li>no neighbour is an end of all of these, those of the rounds right before included,
 *   <li>and what it holds is not known by a record alone that may be older than its table: another manager's, which may lead it yet, or one of before the last
 *       tables were given out.
 * </ul>
 *
 * It is asked again every {@value #AGAIN_NANOS} ns while it is headless and routes lead through it; that of {@link #WATCHED_AT_ONCE} switches at a
 * time. Cost: one look at the rows it may hold per round.
 */
final class TransitChecks {
    static final long AGAIN_NANOS = 2_000_000_000L;

    /** How long the agents' reports are waited for. */
    static final long REPORT_NANOS = 1_000_000_000L;

    /** Pairs of cables by which a switch is asked in the first round. */
    static final int PASSAGES_MAX = 3;

    /** Of so many cables all pairs are asked in the second round. */
    private static final int ALL_PAIRED_MAX = 4;

    /** Others wait for their turn. */
    static final int WATCHED_AT_ONCE = 32;

    private static final long TURN_NANOS = 100_000_000L;

    /**
     * A way through a switch.
     *
     * @param asker at whose port hellos go in
     * @param there destination that leads on to {@code answerer}
     * @param back destination that leads back to {@code asker}
     */
    private record Passage(SwitchRecord asker, int port, int there, int back, SwitchRecord answerer, int answererPort) {
        Passage reversed() {
            return new Passage(answerer, answererPort, back, there, asker, port);
        }
    }

    /** A question under way, and what came of it. */
    private static final class Question {
        final long subject;
        final long session;
        boolean reported;
        boolean sent;
        boolean answered;

        Question(long subject, long session) {
            this.subject = subject;
            this.session = session;
        }

        boolean refuted() {
            return reported && sent && !answered;
        }
    }

    /** A passage asked, as far as the round goes. */
    private record Trial(
            Passage passage,
            Question question,
            @Nullable Question reverse,
            @Nullable Question askerElsewhere,
            @Nullable Question answererElsewhere) {
        boolean answered() {
            return question.answered || (reverse != null && reverse.answered);
        }

        Set<Long> ends() {
            return new HashSet<>(List.of(passage.asker.guid, passage.answerer.guid));
        }

        /** Both ends were heard of elsewhere, and neither through this switch. */
        boolean refutes() {
            return question.refuted()
                    && reverse != null
                    && reverse.refuted()
                    && askerElsewhere != null
                    && askerElsewhere.answered
                    && answererElsewhere != null
                    && answererElsewhere.answered;
        }
    }

    /** What is known of one switch. */
    private static final class Check {
        int turn;

        /** The round under way is the second one in a row. */
        boolean again;

        List<Trial> trials = List.of();

        /** What the switch may have held when these were asked. */
        List<LftRow> rows = List.of();

        /** Common ends of all passages that refuted since the last answer, and since the switch got its table; null: none did. */
        @Nullable
        Set<Long> suspects;

        /** If all that refute had an end in common, that neighbour, or the cable to it, might be what is wrong. */
        boolean isRefutedBy(List<Trial> asked) {
            for (Trial trial : asked.stream().filter(Trial::refutes).toList()) {
                if (suspects == null) {
                    suspects = trial.ends();
                }
                suspects.retainAll(trial.ends());
            }
            return suspects != null && suspects.isEmpty();
        }
    }

    private final FabricState state;
    private final Map<Long, Check> checks = new HashMap<>();

    /** When the next round of a switch begins, or the present one ends. */
    private final Deadlines<Long> due = new Deadlines<>(Long::compareUnsigned);

    private final Map<Long, Question> questions = new LinkedHashMap<>();
    private long lastNumber;
    private int underWay;

    TransitChecks(FabricState state) {
        this.state = state;
    }

    /** A switch is headless: it is asked now, and again until it is not any more. */
    void watch(SwitchRecord record, long nowNanos) {
        if (!isWanted(record) || checks.containsKey(record.guid)) {
            return;
        }
        if (!record.transitHellos || state.tables instanceof TurnTableSet) {
            // Hellos are led by destination alone; by a table of turns they would go by the class of the port they come
            // in by.
            know(record, Forwarding.UNTESTABLE);
        } else {
            checks.put(record.guid, new Check());
            due.set(record.guid, nowNanos);
        }
    }

    private boolean isWanted(SwitchRecord record) {
        return record.condition == Condition.HEADLESS && !record.reachable() && state.cabling.alive(record.guid);
    }

    /** An agent tells what came of a question. */
    void reported(TransitReported report) {
        Question question = questions.get(report.number());
        if (question == null || question.session != report.session() || question.reported) {
            return;
        }
        question.reported = true;
        question.sent = report.sent() > 0;
        question.answered = report.answered() > 0;
        if (questions.values().stream().noneMatch(other -> other.subject == question.subject && !other.reported)) {
            due.set(question.subject, report.nowNanos());
        }
    }

    /** Begins and ends rounds; returns the switches that turned out to be hung. */
    List<SwitchRecord> timePassed(long nowNanos, List<Effect> effects) {
        List<SwitchRecord> hung = new ArrayList<>();
        for (long guid : due.takeDue(nowNanos)) {
            Check check = checks.get(guid);
            SwitchRecord record = state.switches.get(guid);
            if (check == null || record == null || !isWanted(record)) {
                drop(guid, record);
            } else if (check.trials.isEmpty()) {
                begin(record, check, nowNanos, effects);
            } else {
                end(record, check, nowNanos, effects);
                if (record.forwarding == Forwarding.HUNG) {
                    hung.add(record);
                }
            }
        }
        return hung;
    }

    private void drop(long guid, @Nullable SwitchRecord record) {
        if (record != null && record.forwarding != Forwarding.HUNG) {
            know(record, Forwarding.UNASKED);
        }
        forget(guid);
    }

    /** What was asked about a switch says nothing of what it will be without its agent the next time. */
    void forget(long guid) {
        due.cancel(guid);
        Check check = checks.remove(guid);
        if (check != null && !check.trials.isEmpty()) {
            underWay--;
        }
        questions.values().removeIf(question -> question.subject == guid);
    }

    private void begin(SwitchRecord record, Check check, long nowNanos, List<Effect> effects) {
        if (underWay >= WATCHED_AT_ONCE) {
            due.set(record.guid, nowNanos + TURN_NANOS);
            return;
        }
        List<Passage> passages = passages(record, check);
        if (passages.isEmpty()) {
            conclude(record, check, Forwarding.UNTESTABLE, nowNanos);
            return;
        }
        underWay++;
        List<LftRow> rows = record.possibleRows();
        if (!check.rows.equals(rows)) {
            check.suspects = null;
        }
        check.rows = rows;
        Map<Long, Question> elsewhere = new HashMap<>();
        check.trials = new ArrayList<>();
        for (Passage passage : passages) {
            Question question = ask(record, passage, effects);
            check.trials.add(
                    check.again
                            ? new Trial(
                                    passage,
                                    question,
                                    ask(record, passage.reversed(), effects),
                                    askElsewhere(record, passage.asker, check.turn, elsewhere, effects),
                                    askElsewhere(record, passage.answerer, check.turn, elsewhere, effects))
                            : new Trial(passage, question, null, null, null));
        }
        due.set(record.guid, nowNanos + REPORT_NANOS);
    }

    private Question ask(SwitchRecord subject, Passage passage, List<Effect> effects) {
        long session = passage.asker.session;
        Question question = new Question(subject.guid, session);
        questions.put(++lastNumber, question);
        effects.add(new Effect.AskThrough(session, lastNumber, passage.port, passage.there, passage.back));
        return question;
    }

    /** Whether a neighbour is able to ask at all; once for each. */
    private @Nullable Question askElsewhere(
            SwitchRecord subject, SwitchRecord asker, int turn, Map<Long, Question> asked, List<Effect> effects) {
        Question before = asked.get(asker.guid);
        Passage passage = before == null ? passageFrom(asker, subject.guid, turn) : null;
        if (passage == null) {
            return before;
        }
        Question question = ask(subject, passage, effects);
        asked.put(asker.guid, question);
        return question;
    }

    private void end(SwitchRecord record, Check check, long nowNanos, List<Effect> effects) {
        List<Trial> trials = check.trials;
        questions.values().removeIf(question -> question.subject == record.guid);
        underWay--;
        check.trials = List.of();
        if (!check.rows.equals(record.possibleRows())) {
            conclude(record, check, Forwarding.UNANSWERED, nowNanos); // by another table than was asked about
        } else if (trials.stream().anyMatch(Trial::answered)) {
            conclude(record, check, Forwarding.PROVED, nowNanos);
        } else if (!check.again) {
            check.again = true;
            begin(record, check, nowNanos, effects);
        } else if (check.isRefutedBy(trials) && !isHeldByAnother(record)) {
            conclude(record, check, Forwarding.HUNG, nowNanos);
        } else {
            conclude(record, check, Forwarding.UNANSWERED, nowNanos);
        }
    }

    /**
     * True if all that is known of its table is what another manager wrote down, which may lead the switch yet, or what is on record of before the last tables
     * were given out: it may have another one since. Then hellos are lost though the switch forwards.
     */
    private boolean isHeldByAnother(SwitchRecord record) {
        return record.awaited && state.leadership.isOfAnother(record.recordedBy);
    }

    /** It is asked again later, by other cables; unless it is hung: then nothing is led through it before its agent is back. */
    private void conclude(SwitchRecord record, Check check, Forwarding forwarding, long nowNanos) {
        know(record, forwarding);
        check.again = false;
        check.turn++;
        if (forwarding != Forwarding.UNANSWERED) {
            check.suspects = null;
        }
        if (forwarding == Forwarding.HUNG) {
            checks.remove(record.guid);
        } else {
            due.set(record.guid, nowNanos + AGAIN_NANOS);
        }
    }

    private void know(SwitchRecord record, Forwarding forwarding) {
        if (record.forwarding != forwarding) {
            record.forwarding = forwarding;
            state.touchSwitch(record.guid);
        }
    }

    /**
     * Ways through a switch by cables that differ, in other pairs each turn: by some, or in the second round by all of them, of which
     * those of an odd number share one.
     */
    private List<Passage> passages(SwitchRecord through, Check check) {
        int[] routes = routes(through);
        List<Integer> ports = passable(through, routes);
        List<Passage> passages = new ArrayList<>();
        if (check.again && ports.size() <= ALL_PAIRED_MAX) {
            for (int in : ports) {
                ports.stream().filter(out -> out > in).forEach(out -> passages.add(passage(through, in, out, routes)));
            }
            return passages;
        }
        Collections.rotate(ports, -check.turn);
        List<Integer> left = new ArrayList<>(ports.size() > 1 ? ports : List.of());
        while (!left.isEmpty() && (check.again || passages.size() < PASSAGES_MAX)) {
            int in = left.remove(0);
            int out = left.isEmpty() ? ports.get(0) : left.remove(check.turn / 3 % left.size());
            passages.add(passage(through, in, out, routes));
        }
        return passages;
    }

    /** Ports by which hellos can go through a switch, with somebody behind who answers them. */
    private List<Integer> passable(SwitchRecord through, int[] routes) {
        List<Integer> ports = new ArrayList<>();
        for (int port = 1; port <= through.portCount; port++) {
            if (routes[port] >= 0 && answererAt(through, port) != null) {
                ports.add(port);
            }
        }
        return ports;
    }

    /**
     * A way from this neighbour through any other switch that surely forwards by what it should, another one each turn: one that
     * is at fault must not speak for all. Null: there is none.
     */
    private @Nullable Passage passageFrom(SwitchRecord asker, long except, int turn) {
        List<Integer> ports = new ArrayList<>();
        for (int port = 1; port <= asker.portCount; port++) {
            SwitchRecord through = switchAt(asker, port);
            if (through != null
                    && through.guid != except
                    && through.reachable()
                    && through.transitHellos
                    && through.surelyUpToDate()) {
                ports.add(port);
            }
        }
        Collections.rotate(ports, -turn);
        for (int port : ports) {
            ToSwitch to = (ToSwitch) Objects.requireNonNull(state.cabling.neighbour(asker.guid, port));
            SwitchRecord through = Objects.requireNonNull(state.switches.get(to.guid()));
            int[] routes = routes(through);
            List<Integer> outs = passable(through, routes);
            if (outs.remove((Integer) to.port()) && !outs.isEmpty()) {
                return passage(through, to.port(), outs.get(turn % outs.size()), routes);
            }
        }
        return null;
    }

    private Passage passage(SwitchRecord through, int in, int out, int[] routes) {
        ToSwitch from = (ToSwitch) Objects.requireNonNull(state.cabling.neighbour(through.guid, in));
        ToSwitch to = (ToSwitch) Objects.requireNonNull(state.cabling.neighbour(through.guid, out));
        return new Passage(
                Objects.requireNonNull(state.switches.get(from.guid())),
                from.port(),
                routes[out],
                routes[in],
                Objects.requireNonNull(state.switches.get(to.guid())),
                to.port());
    }

    private @Nullable SwitchRecord switchAt(SwitchRecord record, int port) {
        return state.cabling.isLive(record.guid, port)
                        && state.cabling.neighbour(record.guid, port) instanceof ToSwitch to
                ? state.switches.get(to.guid())
                : null;
    }

    /** The neighbour at a port, if its agent can ask and answer. */
    private @Nullable SwitchRecord answererAt(SwitchRecord through, int port) {
        SwitchRecord neighbour = switchAt(through, port);
        return neighbour != null && neighbour.reachable() && neighbour.transitHellos ? neighbour : null;
    }

    /**
     * By port number: the lowest destination that it leads to in whichever table the switch holds; −1: none. Of one that came in with
     * a table that nobody knows, it may still be that one.
     */
    private static int[] routes(SwitchRecord through) {
        int[] routes = new int[through.portCount + 1];
        Arrays.fill(routes, -1);
        List<LftRow> rows = through.ackedRow == null ? List.of() : through.possibleRows();
        int entries = rows.stream().mapToInt(LftRow::entryCount).min().orElse(0);
        for (int destination = 0; destination < entries; destination++) {
            int port = rows.get(0).port(destination);
            if (port >= 1 && port < routes.length && routes[port] < 0 && allLead(rows, destination, port)) {
                routes[port] = destination;
            }
        }
        return routes;
    }

    private static boolean allLead(List<LftRow> rows, int destination, int port) {
        for (LftRow row : rows) {
            if (row.port(destination) != port) {
                return false;
            }
        }
        return true;
    }

    /** When {@link #timePassed} has something to do; {@code Long.MAX_VALUE}: never. */
    long nextDeadline() {
        return due.next();
    }
}
