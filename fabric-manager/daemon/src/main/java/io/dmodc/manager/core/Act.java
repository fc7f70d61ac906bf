package io.dmodc.manager.core;

import io.dmodc.manager.core.Forgettable.CableAt;
import io.dmodc.manager.core.Forgettable.HostPort;
import io.dmodc.manager.core.Forgettable.SwitchGuid;
import io.dmodc.routing.rebalance.EntryMoves;
import io.dmodc.topology.PortPlace;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What an operator asks for.
 *
 * @param objects what it is about; port 0 for a whole switch, else the cable at that port, by either end; of a replacement the old and the new
 *     switch, or host port by host port the old one and the new one; hosts are named by the GUIDs of their ports, with port 0
 * @param value what it needs besides, as {@link Verb} says; else empty
 */
public record Act(Verb verb, List<PortPlace> objects, String value) {
    /** Ends the value of a pause that ends with a fault. */
    private static final String FAULTS_END_IT = " faults";

    /** Ends the value of an engine that may be changed to by quiescing. */
    private static final String QUIESCES = " quiesce";

    private static final String SWITCH = "switch";
    private static final String LINK = "link";
    private static final String NODE = "node";

    /** What is to be done. */
    public enum Verb {
        /** Routes lead around the objects, as if they were down; they go on forwarding what comes. */
        DRAIN,
        /** Routes may use the objects again. */
        UNDRAIN,
        /**
         * No tables are sent, until the time in the value, in milliseconds since 1970; 0: until {@link #RESUME}. With {@code faults} behind it, until
         * tables mend something, too.
         */
        PAUSE,
        /** Tables are sent again. */
        RESUME,
        /**
         * Tables are computed by the engine in the value; empty: by that of the settings. With {@code quiesce} behind it, packets to some nodes may be dropped
         * while their entries change, if no other way is proven.
         */
        ENGINE,
        /**
         * What was wanted in an earlier epoch: its number is in the value, with a blank and its engine behind it if that was not the one of the settings. Drained are
         * the objects then and no others.
         */
        ROLLBACK,
        /** The second object is there in place of the first one, which is gone. With {@code node} as the value, each second host port is or will be. */
        REPLACE,
        /** The objects are gone for good: the value says what they are, {@code switch}, {@code link} or {@code node}. */
        FORGET,
        /** The entries in the value, as {@link EntryMoves} writes them, are moved, and no others. */
        REBALANCE;

        /** As people and programs write it. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** @throws IllegalArgumentException in a few words when it is none */
        public static Verb of(String word) {
            for (Verb verb : values()) {
                if (verb.word().equals(word)) {
                    return verb;
                }
            }
            throw new IllegalArgumentException("act '" + word
                    + "'; expected drain, undrain, pause, resume, engine, rollback, replace, forget or rebalance");
        }
    }

    public Act {
        objects = List.copyOf(objects);
    }

    /**
     * A pause.
     *
     * @param untilMillis since 1970; 0: until it is ended
     * @param faultsEndIt tables that mend something end it
     */
    public static Act pause(long untilMillis, boolean faultsEndIt) {
        return new Act(Verb.PAUSE, List.of(), untilMillis + (faultsEndIt ? FAULTS_END_IT : ""));
    }

    /** When the pause with this value ends, in milliseconds since 1970; {@code Long.MAX_VALUE}: no end is set. */
    public static long pauseEnd(String value) {
        long until = Long.parseLong(value.replace(FAULTS_END_IT, ""));
        return until == 0 ? Long.MAX_VALUE : until;
    }

    /** The value of a pause like this one that ends so much later, if it has an end. */
    static String laterPause(String value, long millis) {
        long until = pauseEnd(value);
        return until == Long.MAX_VALUE
                ? value
                : pause(until + millis, faultsEndPause(value)).value();
    }

    /** True if tables that mend something end the pause with this value. */
    public static boolean faultsEndPause(String value) {
        return value.endsWith(FAULTS_END_IT);
    }

    /**
     * Another engine.
     *
     * @param name empty: that of the settings
     * @param quiesces columns may stand still while they change
     */
    public static Act engine(String name, boolean quiesces) {
        return new Act(Verb.ENGINE, List.of(), name + (quiesces ? QUIESCES : ""));
    }

    /** True if columns may stand still while they change. */
    public boolean quiesces() {
        return verb == Verb.ENGINE && value.endsWith(QUIESCES);
    }

    /** What is wanted again that was wanted in an epoch. */
    public static Act rollback(long epoch, List<PortPlace> drained, String engine) {
        return new Act(Verb.ROLLBACK, drained, (epoch + " " + engine).strip());
    }

    /** The engine that computes from then on; empty for that of the settings. Of {@link Verb#ENGINE} and {@link Verb#ROLLBACK}. */
    public String engine() {
        int blank = value.indexOf(' ');
        return verb == Verb.ENGINE ? value.replace(QUIESCES, "") : blank < 0 ? "" : value.substring(blank + 1);
    }

    /** The epoch of a {@link Verb#ROLLBACK}. */
    public String epoch() {
        int blank = value.indexOf(' ');
        return blank < 0 ? value : value.substring(0, blank);
    }

    /** True if it is about what belongs to the fabric, not about what routes may use. */
    public boolean isOfIdentity() {
        return verb == Verb.REPLACE || verb == Verb.FORGET;
    }

    /** These entries are moved, and no others. */
    public static Act rebalance(EntryMoves moves) {
        return new Act(Verb.REBALANCE, List.of(), moves.toString());
    }

    /**
     * What is moved; nothing for all but {@link Verb#REBALANCE}.
     *
     * @throws IllegalArgumentException in a few words when the value is none that {@link #rebalance} gives
     */
    public EntryMoves moves() {
        return verb == Verb.REBALANCE ? EntryMoves.parse(value) : EntryMoves.NONE;
    }

    /** A switch is there in place of one that is gone. */
    public static Act replace(long oldGuid, long newGuid) {
        return new Act(Verb.REPLACE, List.of(new PortPlace(oldGuid, 0), new PortPlace(newGuid, 0)), "");
    }

    /**
     * A host port that is gone, and the one in its place.
     *
     * @param oldGuid GUID of the port, like the other one
     */
    public record HostPair(long oldGuid, long newGuid) {
        /** True if it is one of the two. */
        public boolean names(long portGuid) {
            return portGuid == oldGuid || portGuid == newGuid;
        }
    }

    /** Host ports are there in place of others that are gone, or will be: they have their node indices from then on. */
    public static Act replaceHosts(List<HostPair> pairs) {
        return new Act(
                Verb.REPLACE,
                pairs.stream()
                        .flatMap(pair -> Stream.of(new PortPlace(pair.oldGuid, 0), new PortPlace(pair.newGuid, 0)))
                        .toList(),
                NODE);
    }

    /** True if a switch is there in place of another one. */
    public boolean replacesSwitch() {
        return verb == Verb.REPLACE && !value.equals(NODE);
    }

    /** Which host ports are there in place of which others; nothing for all but such an act. */
    public List<HostPair> replacedHosts() {
        return verb != Verb.REPLACE || replacesSwitch()
                ? List.of()
                : IntStream.range(0, objects.size() / 2)
                        .mapToObj(i -> new HostPair(
                                objects.get(2 * i).guid(),
                                objects.get(2 * i + 1).guid()))
                        .toList();
    }

    /** The switch that is gone. Of one that {@link #replacesSwitch}. */
    public long oldGuid() {
        return objects.get(0).guid();
    }

    /** The switch that is there instead. Of one that {@link #replacesSwitch}. */
    public long newGuid() {
        return objects.get(1).guid();
    }

    /** Things of one kind are gone for good. */
    public static Act forget(List<Forgettable> gone) {
        String kind = gone.isEmpty() || gone.get(0) instanceof SwitchGuid
                ? SWITCH
                : gone.get(0) instanceof CableAt ? LINK : NODE;
        return new Act(Verb.FORGET, gone.stream().map(Act::place).toList(), kind);
    }

    private static PortPlace place(Forgettable gone) {
        if (gone instanceof CableAt cable) {
            return new PortPlace(cable.guid(), cable.port());
        }
        return new PortPlace(gone instanceof SwitchGuid it ? it.guid() : ((HostPort) gone).portGuid(), 0);
    }

    /** What is gone for good; nothing for all but {@link Verb#FORGET}. */
    public List<Forgettable> forgotten() {
        return verb != Verb.FORGET
                ? List.of()
                : objects.stream().map(this::gone).toList();
    }

    private Forgettable gone(PortPlace place) {
        return switch (value) {
            case SWITCH -> new SwitchGuid(place.guid());
            case LINK -> new CableAt(place.guid(), place.port());
            case NODE -> new HostPort(place.guid());
            default -> throw new IllegalArgumentException("forget '" + value + "'; expected switch, link or node");
        };
    }
}
