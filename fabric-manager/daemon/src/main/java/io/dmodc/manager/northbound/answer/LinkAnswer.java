package io.dmodc.manager.northbound.answer;

import org.jspecify.annotations.Nullable;

/**
 * One cable between two switches.
 *
 * @param a the end with the lower GUID
 * @param state {@code live}; {@code drained}: live, and no route uses it, because an operator wants it; {@code held}: not live because it flapped; {@code down}: not live
 * @param live both ends name each other and say up, and it carries packets
 * @param heldDown up on the metal but kept out of the routes because it flapped
 * @param unheard one end or both have carrier and hear no hellos; the cable is dead if both do
 * @param conflict the end that names this cable is contradicted by the other, which is up and leads elsewhere
 * @param flaps how often it went down lately, as the end says that saw more
 * @param rate what it carries, the slower one of what its ends say; {@code null}: not known
 * @param slow it is live, and carries less than most links between the same two ranks
 * @param avoided routes lead around it because it is slow
 */
public record LinkAnswer(
        CableEnd a,
        CableEnd b,
        String state,
        boolean live,
        boolean heldDown,
        boolean unheard,
        boolean conflict,
        int flaps,
        @Nullable String rate,
        boolean slow,
        boolean avoided) {

    /** What a cable is at a time: one of these. */
    public enum State {
        LIVE,
        DOWN,
        HELD,
        DRAINED
    }

    static State state(boolean live, boolean heldDown, boolean drained) {
        return live && drained ? State.DRAINED : live ? State.LIVE : heldDown ? State.HELD : State.DOWN;
    }
}
