package io.dmodc.manager.core;

/**
 * What an alarm is about; there is at most one alarm for each.
 *
 * @param guid the switch; for a cable the lower GUID of its ends; 0 for the fabric
 * @param port the port at that switch, 0 unless it is about a port
 */
record AlarmKey(Subject subject, long guid, int port) {
    /** Kinds of thing that can be in alarm. */
    enum Subject {
        SWITCH,
        AGENT,
        LEAF,
        LINK,
        HOST,
        EPOCH,
        LEADER,
        STORE,
        DEFECT
    }

    static AlarmKey ofFabric(Subject subject) {
        return new AlarmKey(subject, 0, 0);
    }
}
