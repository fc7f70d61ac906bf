package io.dmodc.manager.core;

/** Something that can be forgotten. */
public sealed interface Forgettable {
    /** A switch with its cables and hosts. */
    record SwitchGuid(long guid) implements Forgettable {}

    /** The cable at this port of this switch. */
    record CableAt(long guid, int port) implements Forgettable {}

    /** A host, by the GUID of its port. */
    record HostPort(long portGuid) implements Forgettable {}
}
