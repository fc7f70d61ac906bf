package io.dmodc.agent.plane;

import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * A switch as its agent sees it. Methods may be called from any thread and return within milliseconds: what takes longer ends in
 * a stage. At most one of {@link #readBack} and {@link #install} is under way at a time, and nothing else is asked of the
 * table meanwhile.
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

    /** Returns what it can do; always the same. */
    PlaneCapabilities capabilities();

    /**
     * Reads what the switch forwards with now, from the hardware: {@link InstalledTable#NONE} before the first table. The
     * version is {@link io.dmodc.southbound.TableVersion#NONE} where the switch cannot keep it.
     *
     * @return ends with a {@link PlaneException} when it cannot be read; it is asked again then
     */
    CompletionStage<InstalledTable> readBack();

    /**
     * Puts a table in force; it outlives the agent's session. May take as long as it tells progress; one that tells none is given
     * up by the manager after half a minute.
     *
     * @param change what is to be written, and where it leads
     * @param progress told what is written so far; any thread, as often as convenient
     * @return ends with a {@link PlaneException} when the switch did not take it, or only some of it:
     *     {@link PlaneCapabilities#allOrNothing} says whether it still forwards with the table before
     */
    CompletionStage<Void> install(TableChange change, InstallProgress progress);

    /** Names the one who is told what happens to the switch by itself; the one before is told no more. */
    void listen(PlaneListener listener);

    /** Returns the way for hellos; null when this plane carries none, so that the state of the ports alone counts. */
    @Nullable
    HelloChannel hellos();

    /**
     * Returns the way for hellos through neighbours; null when this plane carries none, or does not forward those of others by its
     * routes alone: then nobody can find out whether the switch forwards while its agent is away.
     */
    @Nullable
    TransitChannel transits();

    /**
     * Says what the hellos over a port tell of it, for a plane that leads entries round a dead port by itself. Nothing is said of a port before that is decided.
     *
     * @param number 1..port count
     * @param usable false: hellos over it are lost, or it has no carrier
     */
    default void portUsable(int number, boolean usable) {}

    /**
     * Says that a port was not heard for half the time after which its hellos are lost. A plane that can find out by other means that the cable
     * does not carry tells it by {@link PlaneListener#portSilent}, and the hellos are lost then.
     *
     * @param number 1..port count
     */
    default void portDoubted(int number) {}
}
