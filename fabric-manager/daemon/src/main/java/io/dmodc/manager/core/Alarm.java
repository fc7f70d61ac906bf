package io.dmodc.manager.core;

import io.dmodc.manager.core.AlarmKey.Subject;
import io.dmodc.manager.core.LoggedEvent.Severity;
import io.dmodc.manager.state.StateRecord.Acknowledgement;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Something that should be and is not, from the moment it was noticed until it is mended or forgotten.
 *
 * @param id from 1, never used again, also not after a restart
 * @param sinceMillis when it was noticed, milliseconds since 1970
 * @param causeEpoch the fabric epoch that answers it, or in which it was noticed when it needs no new tables
 * @param guid the switch, 0 for the fabric; of a cable the end with the lower GUID
 * @param port number on that switch, 0 unless a port is meant
 * @param peerGuid far end: a switch, or the port of a host; 0 for none
 * @param peerPort number on the far switch, 0 for none
 * @param nodeIndex destination index of the host it is about; −1 for none, and for a host that had none then
 * @param text one line for people
 * @param acknowledgement somebody knows of it; {@code null} unless it was given for this kind or a worse one
 */
public record Alarm(
        long id,
        long sinceMillis,
        long causeEpoch,
        Kind kind,
        long guid,
        int port,
        long peerGuid,
        int peerPort,
        int nodeIndex,
        String text,
        @Nullable Acknowledgement acknowledgement) {

    Alarm with(@Nullable Acknowledgement given) {
        return new Alarm(id, sinceMillis, causeEpoch, kind, guid, port, peerGuid, peerPort, nodeIndex, text, given);
    }

    /** What is wrong. Kinds about one subject stand in order, the worst first. */
    public enum Kind {
        /** No agent, and all links are down. */
        SWITCH_DEAD(Subject.SWITCH, Severity.ALARM),
        /** No agent, but links are up: it forwards by the table it has, if any. */
        SWITCH_HEADLESS(Subject.SWITCH, Severity.ALARM),
        /** Known from before, and no agent has come in for it since the manager started. */
        SWITCH_MISSING(Subject.SWITCH, Severity.ALARM),
        /** The agent does not take its table. */
        AGENT_FLAGGED(Subject.AGENT, Severity.ALARM),
        /** The switch does not take single entries of its table. */
        ENTRIES_REFUSED(Subject.ENTRIES, Severity.ALARM),
        /** Nothing that is sent to the manager's place in the ring arrives. */
        MANAGER_HEARS_NOBODY(Subject.HEARING, Severity.ALARM),
        /** Nothing that is sent to the agent's place in the ring arrives. */
        AGENT_HEARS_NOBODY(Subject.HEARING, Severity.WARNING),
        /** It comes and goes, or says something else of itself each time. */
        SWITCH_FLAPS(Subject.RETURNS, Severity.WARNING),
        /** Some other leaf has no path to this one. */
        LEAF_CUT_OFF(Subject.LEAF, Severity.ALARM),
        /** Hosts on switches above the leaves that no path joins which climbs and then descends. */
        NO_LEGAL_PATH(Subject.PAIRS, Severity.WARNING),
        /** Hosts that have a path by the cables, and none by what switches hold that cannot be told otherwise. */
        PAIRS_LOST(Subject.LOST_PAIRS, Severity.ALARM),
        LINK_DOWN(Subject.LINK, Severity.WARNING),
        /** Up on the metal, kept out of the routes because it flapped. */
        LINK_HELD(Subject.LINK, Severity.WARNING),
        /** It works, and carries less than most links between the same two ranks. */
        LINK_SLOW(Subject.LINK, Severity.WARNING),
        HOST_DOWN(Subject.HOST, Severity.WARNING),
        /** Its cable is up again, and not believed yet because it flapped. */
        HOST_HELD(Subject.HOST, Severity.WARNING),
        /** What a port says is contradicted by the far end, or by another port with the same host. */
        CABLE_DISAGREES(Subject.CLAIM, Severity.WARNING),
        /** The engine of the settings made no tables that pass the check: switches keep older ones, or have other ones. */
        EPOCH_REFUSED(Subject.EPOCH, Severity.ALARM),
        /** Another manager took over. */
        LEADER_CONFLICT(Subject.LEADER, Severity.ALARM),
        /** The disk does not take what must survive a restart. */
        STATE_STORE(Subject.STORE, Severity.ALARM),
        /** Too few agents are connected for anything to be changed. */
        PUSHES_HELD(Subject.PUSHES, Severity.ALARM),
        /** A certificate with which manager and agents know each other is over, or will be within days. */
        CERTIFICATE_ENDS(Subject.CERTIFICATES, Severity.WARNING),
        /** OpenSM does not take our tables, or cannot be seen to. */
        SUBNET_MANAGER(Subject.SUBNET_MANAGER, Severity.ALARM),
        /** A mistake in this program showed, and it goes on as well as it can. */
        DEFECT(Subject.DEFECT, Severity.ALARM);

        private final Subject subject;
        private final Severity severity;

        Kind(Subject subject, Severity severity) {
            this.subject = subject;
            this.severity = severity;
        }

        Subject subject() {
            return subject;
        }

        /** As it is kept. */
        String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** True if the kind with this {@link #word} is this one, or a worse one about the same subject. */
        boolean isCoveredBy(String word) {
            return Arrays.stream(values())
                    .anyMatch(kind -> kind.word().equals(word) && kind.subject == subject && kind.compareTo(this) <= 0);
        }

        public Severity severity() {
            return severity;
        }
    }
}
