package io.dmodc.ctl;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.ref.Reference;
import java.util.function.Supplier;

/** How much of the heap things take, as the virtual machine tells. */
final class HeapUse {
    private static final int COLLECTIONS = 3;

    private HeapUse() {}

    /** Bytes that are in use after {@code maker} ran and not before: what it returned, and all that this refers to. */
    static long retainedBytes(Supplier<Object> maker) {
        long before = usedAfterCollection();
        Object made = maker.get();
        try {
            return Math.max(0, usedAfterCollection() - before);
        } finally {
            Reference.reachabilityFence(made);
        }
    }

    private static long usedAfterCollection() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }

    /** Sum of what each pool of the heap held at most; all of them together never held more. */
    static long peakBytes() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .map(MemoryPoolMXBean::getPeakUsage)
                .mapToLong(usage -> usage == null ? 0 : usage.getUsed())
                .sum();
    }
}
