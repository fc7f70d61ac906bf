package io.dmodc.agent.plane;

/** Told what happens to a switch by itself, on the thread that noticed it; must return at once. */
public interface PlaneListener {
    /** Told nothing. */
    PlaneListener NOBODY = number -> {};

    /**
     * A port changed. Whoever is told reads the port himself, so that two changes told in the wrong order do no harm.
     *
     * @param number 1..port count
     */
    void portChanged(int number);

    /** The switch may forward with another table than the last one installed: it lost power, or somebody wrote to it. */
    default void tableLost() {}

    /**
     * Nothing comes through a port that {@link ForwardingPlane#portDoubted} asked about.
     *
     * @param number 1..port count
     */
    default void portSilent(int number) {}

    /**
     * The switch led entries of a port that carries nothing, or nothing for these, over others by itself, or does so no longer. The table that counts as
     * installed is what it was.
     *
     * @param number 1..port count
     * @param moved entries that lead over another port now
     * @param stranded entries that cannot; both 0: nothing of this is in force any more
     */
    default void repaired(int number, int moved, int stranded) {}
}
