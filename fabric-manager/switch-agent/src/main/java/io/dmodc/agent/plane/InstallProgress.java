package io.dmodc.agent.plane;

/** Told how far a plane is with a table. */
@FunctionalInterface
public interface InstallProgress {
    /**
     * So much is written.
     *
     * @param done entries, or whatever the plane counts; 0 or more, grows
     * @param total how many there are to be written, 1 or more, not below {@code done}
     */
    void written(int done, int total);
}
