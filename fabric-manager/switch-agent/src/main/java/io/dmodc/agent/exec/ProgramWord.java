package io.dmodc.agent.exec;

import io.dmodc.agent.plane.Neighbour;
import io.dmodc.southbound.TableVersion;
import io.dmodc.topology.LinkRate;
import org.jspecify.annotations.Nullable;

/** One line of the program's, understood and within its ranges. */
sealed interface ProgramWord {
    /**
     * It is ready.
     *
     * @param entries longest table it has room for
     */
    record Hello(int entries) implements ProgramWord {}

    /**
     * An entry of the table that is being read.
     *
     * @param port 1..port count, 0: the switch itself, 255: no route
     */
    record Entry(int index, int port) implements ProgramWord {}

    /**
     * The table is read.
     *
     * @param entries its length; -1: up to the last entry that was said
     */
    record Read(long id, TableVersion version, int entries) implements ProgramWord {}

    /** The table is in force. */
    record Installed(long id) implements ProgramWord {}

    /** So much of a table is written. */
    record Progress(long id, int done, int total) implements ProgramWord {}

    /** It could not do what was asked. */
    record Failed(long id, String why) implements ProgramWord {}

    /**
     * A port, now.
     *
     * @param far null: as before
     * @param rate of its link; null: not known
     */
    record Port(
            int number,
            boolean up,
            @Nullable Neighbour far,
            @Nullable LinkRate rate) implements ProgramWord {}

    /** All ports are told. */
    record Ports(long id) implements ProgramWord {}

    /** The switch may forward with another table. */
    record Lost() implements ProgramWord {}
}
