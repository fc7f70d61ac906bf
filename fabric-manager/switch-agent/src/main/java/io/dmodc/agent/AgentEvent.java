package io.dmodc.agent;

import io.dmodc.agent.plane.InstalledTable;
import io.dmodc.agent.plane.PortState;
import io.dmodc.southbound.TableVersion;
import io.dmodc.southbound.proto.FaultReport;
import io.dmodc.southbound.proto.ManagerFrame;
import java.util.List;

/** Everything that can happen to an agent. */
public sealed interface AgentEvent {
    /** It is time to connect: at the start, and when {@link AgentEffect.ConnectAfter} is over. */
    record ConnectDue() implements AgentEvent {}

    /** The connection stands. */
    record Connected() implements AgentEvent {}

    /** The connection, or the attempt, is over. */
    record Disconnected(String why) implements AgentEvent {}

    /** A frame of the manager; keep-alives do not come here. */
    record Received(ManagerFrame frame) implements AgentEvent {}

    /** The connection takes more bytes, or no more for now. */
    record Writable(boolean now) implements AgentEvent {}

    /** Ports that changed, as they are now. */
    record PortsChanged(List<PortState> ports) implements AgentEvent {}

    /** All ports as the hardware says: the answer to {@link AgentEffect.ReadPorts}. */
    record PortsRead(List<PortState> ports) implements AgentEvent {}

    /** {@link AgentEffect.DecodeMembership} gave a membership in all ranges. */
    record MembershipDecoded(RingMembership ring) implements AgentEvent {}

    /**
     * {@link AgentEffect.DecodeMembership} gave nothing that may be used.
     *
     * @param why in one line
     * @param outOfStep true when this was a difference newer than what the agent holds: those that follow stand on it, so
     *     only a whole membership helps
     */
    record MembershipRefused(String why, boolean outOfStep) implements AgentEvent {}

    /** The plane said what the switch forwards with, as {@link AgentEffect.ReadTable} asked. */
    record TableRead(InstalledTable table) implements AgentEvent {}

    /** The plane could not say it. */
    record ReadFailed(String why) implements AgentEvent {}

    /** The switch may forward with another table than it was given. */
    record TableLost() implements AgentEvent {}

    /** The plane forwards with the table of {@link AgentEffect.Install}. */
    record Installed(TableVersion version) implements AgentEvent {}

    /** So many of the entries of {@link AgentEffect.Install} are written. */
    record InstallProgressed(TableVersion version, int done, int total) implements AgentEvent {}

    /** The plane did not take the table of {@link AgentEffect.Install}. */
    record InstallFailed(TableVersion version, String why) implements AgentEvent {}

    /**
     * The switch led entries of a dead port over others by itself.
     *
     * @param port 1..port count
     * @param moved entries that lead over another port now
     * @param stranded entries that cannot; both 0: nothing of this is in force any more
     */
    record Repaired(int port, int moved, int stranded) implements AgentEvent {}

    /** {@link AgentEffect.ProgressDueAfter} is over. */
    record ProgressDue() implements AgentEvent {}

    /** {@link AgentEffect.PlaneDueAfter} is over. */
    record PlaneDue() implements AgentEvent {}

    /** {@link AgentEffect.OverdueAfter} is over. */
    record InstallOverdue(TableVersion version) implements AgentEvent {}

    /**
     * What came of {@link AgentEffect.AskThrough}.
     *
     * @param number of the question
     * @param sent hellos; 0: the port leads to no switch
     * @param answered of these
     */
    record AskedThrough(long number, int sent, int answered) implements AgentEvent {}

    /** The ring found something out; the report has no sequence yet. */
    record RingNews(FaultReport report) implements AgentEvent {}

    /** The ring hears nobody any more and has stopped its heartbeats, or hears again. */
    record RingDeaf(boolean deaf) implements AgentEvent {}

    /** The ring had to contradict a rumour of this agent's death by a higher incarnation. */
    record IncarnationRaised(int incarnation) implements AgentEvent {}

    /** The ring says that tables older than this version must not be applied any more. */
    record Revoked(TableVersion below) implements AgentEvent {}

    /** {@link AgentEffect.RetryAfter} is over. */
    record RetryDue() implements AgentEvent {}
}
