package io.dmodc.routing.change;

/**
 * What a plan of a change may cost, and what may be asked of the fabric for it.
 *
 * @param stepsMax most suspect columns × switches that are worth their time, at some hundred ns each: if there are more these columns are not ordered
 *     one by one
 * @param unionMax most columns × switches, of all columns, that are worth their time, at some ten ns each, to find out whether packets of suspect columns may
 *     turn without a circle of channels
 * @param drainKnown whether it is known how long a packet may stay in the fabric; if not, a plan that needs a drain is not provable
 * @param quiesce whether packets of columns that no order is proven of may be dropped at their sources while these change
 */
public record ChangeTerms(long stepsMax, long unionMax, boolean drainKnown, boolean quiesce) {
    /** However long it takes; nothing stands still. */
    public static final ChangeTerms UNBOUNDED = new ChangeTerms(Long.MAX_VALUE, Long.MAX_VALUE, true, false);

    /** The same with another consent. */
    public ChangeTerms withQuiesce(boolean consent) {
        return new ChangeTerms(stepsMax, unionMax, drainKnown, consent);
    }
}
