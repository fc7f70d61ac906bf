package io.dmodc.agent.plane;

import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A switch as its agent sees it. Methods may be called from any thread and return within milliseconds, {@link #install}
 * aside.
 */
public interface ForwardingPlane {
    /** Returns the identity of the switch. */
    long guid();

    /** Returns what people call the switch, at most 64 bytes. */
    String name();

    /** Returns 1..254; ports are numbered from 1. */
    int portCount();

    /** Returns one port as the hardware says now. */
    PortState portState(int number);

    /** Returns all ports as the hardware says now, in the order of their numbers. */
    List<PortState> ports();

    /** Returns what the switch forwards with now, {@link InstalledTable#NONE} before the first table. */
    InstalledTable installed();

    /**
     * Puts a whole table in force, all or nothing; it outlives the agent's session. May take its time: the manager waits for
     * half a minute. One call at a time.
     *
     * @param table its entries do not change afterwards
     * @throws PlaneException when the switch still forwards with the table before
     */
    void install(InstalledTable table) throws PlaneException;

    /**
     * Names the one who is told the number of every port that changed. He reads the port himself, so that two changes
     * told in the wrong order do no harm. Called on the thread that noticed the change; must return at once.
     */
    void listen(IntConsumer listener);

    /** Returns the way for hellos; null when this plane carries none, so that the state of the ports alone counts. */
    @Nullable
    HelloChannel hellos();
}
