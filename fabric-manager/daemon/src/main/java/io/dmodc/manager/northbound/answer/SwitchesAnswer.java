package io.dmodc.manager.northbound.answer;

import io.dmodc.manager.core.FabricState;
import io.dmodc.manager.core.SwitchRecord.Condition;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Switches ever seen, by GUID. */
public record SwitchesAnswer(long epoch, List<SwitchAnswer> switches) {
    /**
     * Copies them out; on the loop thread.
     *
     * @param condition only switches in this condition; {@code null} for all
     */
    public static SwitchesAnswer of(FabricState state, @Nullable Condition condition) {
        Set<String> cutOff = Set.copyOf(state.cutOff());
        List<SwitchAnswer> switches = state.switches().stream()
                .filter(record -> condition == null || record.condition() == condition)
                .map(record -> SwitchAnswer.of(state, record, cutOff))
                .toList();
        return new SwitchesAnswer(state.epoch(), switches);
    }
}
