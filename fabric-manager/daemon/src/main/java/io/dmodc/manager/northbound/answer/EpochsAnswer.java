package io.dmodc.manager.northbound.answer;

import io.dmodc.manager.core.FabricState;
import java.util.List;

/** The last epochs, newest last. */
public record EpochsAnswer(List<EpochAnswer> epochs) {
    /** Copies them out; on the loop thread. */
    public static EpochsAnswer of(FabricState state) {
        return new EpochsAnswer(state.epochs().stream().map(EpochAnswer::of).toList());
    }
}
