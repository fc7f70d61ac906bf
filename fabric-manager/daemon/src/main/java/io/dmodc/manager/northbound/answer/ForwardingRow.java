package io.dmodc.manager.northbound.answer;

import io.dmodc.manager.core.SwitchSnapshot;
import io.dmodc.routing.LftRow;
import org.jspecify.annotations.Nullable;

/**
 * By which table a switch forwards as far as is known: the one it holds, which is not the one it should hold while its
 * agent is away or a push is under way. While at most a digest of that is known, the one it should hold has to do.
 */
final class ForwardingRow {
    private ForwardingRow() {}

    /** {@code null} when neither is known. */
    static @Nullable LftRow of(SwitchSnapshot record) {
        return isHeld(record) ? record.heldRow() : record.desiredRow();
    }

    /** True if that is another one than it should hold. */
    static boolean isHeld(SwitchSnapshot record) {
        return record.heldRow() != null
                && !record.upToDate()
                && (record.heldEntries() > 0 || record.desiredRow() != null);
    }
}
