package io.dmodc.manager.core;

import io.dmodc.manager.core.Act.HostPair;
import io.dmodc.manager.core.Act.Verb;
import io.dmodc.manager.state.StateRecord;
import io.dmodc.manager.state.StateRecord.Intent;
import io.dmodc.manager.state.StateRecord.NodeIndex;
import io.dmodc.manager.state.StateRecord.Removed;
import io.dmodc.manager.state.StoredState;
import io.dmodc.topology.Guid;
import io.dmodc.topology.PortPlace;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What operators want to hold until they take it back: what is drained, that nothing is sent, by which engine tables are
 * computed; and what is being forgotten, until the tables without it are accepted. Each has an author, a reason and a time, and survives a
 * restart. At most one of each kind for each switch, port and host.
 */
final class OperatorIntent {
    /** The whole fabric. */
    private static final PortPlace FABRIC = new PortPlace(0, 0);

    /** The new host port of a pair has the index of the old one. */
    private record Handover(HostPair pair, int index) {}

    private final RecordWriter records;

    /** By what is drained. */
    private final NavigableMap<PortPlace, Intent> drained = new TreeMap<>();

    /** Switches and hosts the last run was to forget or replace: the tables without them may not have been accepted. */
    private List<Intent> unfinished = new ArrayList<>();

    /** What is forgotten or replaced, and was in the last view. */
    private List<Intent> forgetting = new ArrayList<>();

    /** Host ports whose index was handed over, and not in a view yet. */
    private final List<Handover> replacing = new ArrayList<>();

    /** The same, in a view whose tables are not accepted yet. */
    private final List<Handover> drawnReplacing = new ArrayList<>();

    private @Nullable Intent pause;
    private @Nullable Intent engine;

    /** What was kept of it; acts of a later release are left alone. */
    OperatorIntent(StoredState stored, RecordWriter records) {
        this.records = records;
        for (Intent intent : stored.all(Intent.class)) {
            if (intent.act().equals(Verb.DRAIN.word())) {
                drained.put(new PortPlace(intent.guid(), intent.port()), intent);
            } else if (intent.act().equals(Verb.PAUSE.word())) {
                pause = intent;
            } else if (intent.act().equals(Verb.ENGINE.word())) {
                engine = intent;
            } else if (intent.act().equals(Verb.FORGET.word()) || intent.act().equals(Verb.REPLACE.word())) {
                unfinished.add(intent);
            }
        }
    }

    /** The same, to be changed without this one; what is changed is written there. */
    OperatorIntent copy(RecordWriter other) {
        OperatorIntent copy = new OperatorIntent(new StoredState(), other);
        copy.drained.putAll(drained);
        copy.pause = pause;
        copy.engine = engine;
        return copy;
    }

    /** What is kept under this key as long as nobody asks for something else. */
    Optional<StateRecord> find(StateRecord.Key key) {
        return Stream.of(
                        drained.values().stream(),
                        Stream.ofNullable(pause),
                        Stream.ofNullable(engine),
                        forgetting.stream(),
                        unfinished.stream())
                .flatMap(intents -> intents)
                .filter(intent -> intent.key().equals(key))
                .findFirst()
                .map(StateRecord.class::cast);
    }

    /** What is drained: port 0 for a whole switch. */
    Collection<Intent> drains() {
        return drained.values();
    }

    List<PortPlace> drained() {
        return List.copyOf(drained.keySet());
    }

    boolean isDrained(PortPlace place) {
        return drained.containsKey(place);
    }

    /** By whose word the switch or the cable that an alarm is about is drained, or a switch at one end of it; {@code null} if nothing is. */
    @Nullable
    Intent drainOf(Alarm alarm) {
        List<PortPlace> places = List.of(
                new PortPlace(alarm.guid(), 0),
                new PortPlace(alarm.guid(), alarm.port()),
                new PortPlace(alarm.peerGuid(), 0),
                new PortPlace(alarm.peerGuid(), alarm.peerPort()));
        return places.stream()
                .map(drained::get)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** Why no tables are sent; {@code null} while they are. */
    @Nullable
    Intent pause() {
        return pause;
    }

    /** The engine that somebody chose; {@code null} for that of the settings. */
    @Nullable
    Intent engine() {
        return engine;
    }

    void drain(PortPlace place, String by, long atMillis, String why) {
        Intent intent = new Intent(Verb.DRAIN.word(), place.guid(), place.port(), "", by, atMillis, why);
        drained.put(place, intent);
        keep(intent);
    }

    void undrain(PortPlace place) {
        remove(drained.remove(place));
    }

    /** What is drained is drained elsewhere from now on, by the same word, or not at all. */
    void move(PortPlace from, Optional<PortPlace> to) {
        Intent was = drained.get(from);
        undrain(from);
        if (was != null && to.isPresent() && !isDrained(to.get())) {
            drain(to.get(), was.by(), was.atMillis(), was.why());
        }
    }

    /**
     * A switch or a host is forgotten. What it said is left out of the records only with the next tables that are accepted, so that the
     * last ones can be computed again: until then this stands in for it.
     */
    void forget(Forgettable what, String by, long atMillis, String why) {
        Act act = Act.forget(List.of(what));
        PortPlace place = act.objects().get(0);
        Intent intent = new Intent(act.verb().word(), place.guid(), place.port(), act.value(), by, atMillis, why);
        forgetting.add(intent);
        keep(intent);
    }

    /** Asks the store whether it takes anything: under this key nothing is ever kept. */
    void replacesSwitch(long oldGuid) {
        keep(new Removed(new StateRecord.Key(StateRecord.Kind.INTENT, oldGuid, 0, Verb.REPLACE.word())));
    }

    /** A host port is to have the node index of another one. */
    void replace(HostPair pair, String by, long atMillis, String why) {
        keep(new Intent(Verb.REPLACE.word(), pair.oldGuid(), 0, Guid.format(pair.newGuid()), by, atMillis, why));
    }

    /** It has that index from the next view on; the records say so once tables with it are accepted, so that the last ones can be computed again. */
    void replaced(HostPair pair, int index) {
        replacing.add(new Handover(pair, index));
    }

    /** It does not have it: something was against it. */
    void notReplaced(HostPair pair) {
        keep(new Removed(key(pair)));
    }

    /** True if tables with an index that this host port got or lost are still to be accepted. */
    boolean isReplacing(long portGuid) {
        return Stream.concat(replacing.stream(), drawnReplacing.stream()).anyMatch(each -> each.pair.names(portGuid))
                || unfinished.stream()
                        .map(OperatorIntent::replaced)
                        .anyMatch(pair -> pair != null && pair.names(portGuid));
    }

    /** What is to be replaced; {@code null} when that is kept of something else. */
    static @Nullable HostPair replaced(Intent intent) {
        return intent.act().equals(Verb.REPLACE.word())
                ? new HostPair(intent.guid(), Guid.parse(intent.value()))
                : null;
    }

    private static StateRecord.Key key(HostPair pair) {
        return new StateRecord.Key(StateRecord.Kind.INTENT, pair.oldGuid(), 0, Verb.REPLACE.word());
    }

    static Forgettable forgotten(Intent intent) {
        PortPlace place = new PortPlace(intent.guid(), intent.port());
        return new Act(Verb.FORGET, List.of(place), intent.value()).forgotten().get(0);
    }

    /** What the last run was to forget or replace; it is now, or there again. */
    List<Intent> takeUnfinished() {
        List<Intent> taken = unfinished;
        unfinished = new ArrayList<>();
        taken.stream().filter(intent -> replaced(intent) == null).forEach(forgetting::add);
        return taken;
    }

    /** A view is drawn without what is forgotten, and with what was handed over: its tables need only be accepted. */
    void drawn() {
        forgetting.forEach(intent -> records.stage(new Removed(intent.key())));
        forgetting = new ArrayList<>();
        for (Handover handover : replacing) {
            long old = handover.pair.oldGuid();
            records.stage(new Removed(new StateRecord.Key(StateRecord.Kind.NODE_INDEX, old, 0, "")));
            records.stage(new NodeIndex(handover.pair.newGuid(), handover.index));
            records.stage(new Removed(key(handover.pair)));
        }
        drawnReplacing.addAll(replacing);
        replacing.clear();
    }

    /** The tables of the view drawn last are in force. */
    void accepted() {
        drawnReplacing.clear();
    }

    void pause(String untilMillis, String by, long atMillis, String why) {
        pause = ofFabric(Verb.PAUSE, untilMillis, by, atMillis, why);
    }

    void resume() {
        remove(pause);
        pause = null;
    }

    /** @param name empty: that of the settings */
    void use(String name, String by, long atMillis, String why) {
        if (name.isEmpty()) {
            remove(engine);
            engine = null;
        } else {
            engine = ofFabric(Verb.ENGINE, name, by, atMillis, why);
        }
    }

    private Intent ofFabric(Verb verb, String value, String by, long atMillis, String why) {
        Intent intent = new Intent(verb.word(), FABRIC.guid(), FABRIC.port(), value, by, atMillis, why);
        keep(intent);
        return intent;
    }

    private void remove(@Nullable Intent intent) {
        if (intent != null) {
            keep(new Removed(intent.key()));
        }
    }

    private void keep(StateRecord record) {
        records.asked(record);
    }
}
