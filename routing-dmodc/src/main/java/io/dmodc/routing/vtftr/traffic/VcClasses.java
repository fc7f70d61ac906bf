package io.dmodc.routing.vtftr.traffic;

import io.dmodc.routing.cycles.PacketRouting;

/**
 * The virtual channels of a link, split into the two that VTFTR tells apart (VTFTR paper, section 2.2): the lower ones are
 * of the normal class, 0, the upper ones of the fault-tolerant class, 1. Within a class any channel will do.
 *
 * @param total virtual channels a link, 1..16
 * @param faultTolerant how many of them are kept for class 1; 0: both classes share all, and packets may deadlock
 */
public record VcClasses(int total, int faultTolerant) {
    /** @throws IllegalArgumentException in one line, if a class would be without a channel or there are too many */
    public VcClasses {
        if (total < 1 || total > PacketRouting.VC_MAX) {
            throw new IllegalArgumentException(total + " virtual channels; expected 1.." + PacketRouting.VC_MAX);
        }
        if (faultTolerant < 0 || faultTolerant >= total) {
            throw new IllegalArgumentException(
                    faultTolerant + " fault-tolerant virtual channels of " + total + "; expected 0.." + (total - 1));
        }
    }

    /** Half of them for each class; of one alone nothing can be kept. */
    public static VcClasses halves(int total) {
        return new VcClasses(total, total / 2);
    }

    /** The channels of a class, bit v for channel v. */
    int mask(int ofClass) {
        int normal = PacketRouting.allVcs(total - faultTolerant);
        return ofClass == 0 || faultTolerant == 0 ? normal : PacketRouting.allVcs(total) & ~normal;
    }

    /** The class of a channel; 0 of all where they are shared. */
    int classOf(int vc) {
        return vc < total - faultTolerant ? 0 : 1;
    }
}
