package io.dmodc.manager.core;

import io.dmodc.manager.core.Act.Verb;
import io.dmodc.manager.state.StateRecord;
import io.dmodc.manager.state.StateRecord.Intent;
import io.dmodc.manager.state.StateRecord.Removed;
import io.dmodc.manager.state.StoredState;
import io.dmodc.topology.PortPlace;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What operators want to hold until they take it back: what is drained, that nothing is sent, by which engine tables are
 * computed. Each has an author, a reason and a time, and survives a restart. At most one for each switch and port, and one of
 * each other kind.
 */
final class OperatorIntent {
    /** The whole fabric. */
    private static final PortPlace FABRIC = new PortPlace(0, 0);

    private final RecordWriter records;

    /** By what is drained. */
    private final NavigableMap<PortPlace, Intent> drained = new TreeMap<>();

    /** Batch of records with the last change of it. */
    private long batch;

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
            }
        }
    }

    /** What is drained: port 0 for a whole switch. */
    Collection<Intent> drains() {
        return drained.values();
    }

    List<PortPlace> drained() {
        return List.copyOf(drained.keySet());
    }

    /** True if it would be the same after a crash. */
    boolean isKept() {
        return records.isPersisted(batch);
    }

    boolean isDrained(PortPlace place) {
        return drained.containsKey(place);
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

    /** The switch is gone, and with it what was wanted of it. */
    void forgotten(long guid) {
        drained.keySet().stream().filter(place -> place.guid() == guid).toList().forEach(this::undrain);
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
        records.observed(record);
        batch = records.lastNumber() + 1;
    }
}
