package io.dmodc.agent;

import com.google.protobuf.ByteString;
import io.dmodc.agent.plane.TableChange;
import io.dmodc.southbound.TableVersion;
import io.dmodc.southbound.proto.AgentFrame;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Everything an agent does. The shell performs them in order and feeds results back as events. */
public sealed interface AgentEffect {
    /** Open a connection to the manager; ends in {@code Connected} or {@code Disconnected}. */
    record Connect() implements AgentEffect {}

    /** Feed {@code ConnectDue} after this time. */
    record ConnectAfter(long nanos) implements AgentEffect {}

    /** Close the connection; {@code Disconnected} follows. */
    record Disconnect(String why) implements AgentEffect {}

    /** Send a frame. */
    record Send(AgentFrame frame) implements AgentEffect {}

    /** The manager accepted the Hello: start keep-alives. */
    record Greeted(int keepAliveMillis) implements AgentEffect {}

    /**
     * Read ports from the hardware; feed {@code PortsRead} when all were wanted, {@code PortsChanged} otherwise.
     *
     * @param numbers empty: all
     */
    record ReadPorts(List<Integer> numbers) implements AgentEffect {
        public ReadPorts {
            numbers = List.copyOf(numbers);
        }
    }

    /** Read what the switch forwards with, feed {@code TableRead} or {@code ReadFailed}. */
    record ReadTable() implements AgentEffect {}

    /** Put a table in force, feed {@code InstallProgressed} while that lasts, then {@code Installed} or {@code InstallFailed}. */
    record Install(TableChange change) implements AgentEffect {}

    /** Feed {@code ProgressDue} after this time. */
    record ProgressDueAfter(long nanos) implements AgentEffect {}

    /** Feed {@code PlaneDue} after this time. */
    record PlaneDueAfter(long nanos) implements AgentEffect {}

    /** Feed {@code InstallOverdue} with this version after this time; NONE: what is in force is being read. */
    record OverdueAfter(long nanos, TableVersion version) implements AgentEffect {}

    /**
     * Decode what came as a membership; feed {@code MembershipDecoded} or {@code MembershipRefused}. Left to the shell,
     * because agents of one process are told the same and need to decode it only once.
     *
     * @param bytes a serialised Membership, if all is well
     * @param held what a difference stands on; null: this agent holds none
     */
    record DecodeMembership(ByteString bytes, @Nullable RingMembership held) implements AgentEffect {}

    /**
     * Take this place in the ring.
     *
     * @param ownSlot the agent's own, 0-based
     */
    record JoinRing(RingMembership ring, int ownSlot) implements AgentEffect {}

    /** Feed {@code RetryDue} after this time. */
    record RetryAfter(long nanos) implements AgentEffect {}

    /**
     * Say hello through the switch at the far end of a port; feed {@code AskedThrough}.
     *
     * @param number of the question, 1 or more
     * @param port 1..port count
     * @param there destination by whose route the hellos go, index in the tables
     * @param back destination by whose route the answers come
     */
    record AskThrough(long number, int port, int there, int back) implements AgentEffect {}

    /** Tell people. */
    record Note(boolean warning, String text) implements AgentEffect {}
}
