package io.dmodc.manager.app;

import io.dmodc.manager.state.StateRecord;
import io.dmodc.manager.state.StateRecord.Kind;
import io.dmodc.manager.state.StoredState;
import io.dmodc.manager.store.RecordJson;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code fabric-manager state show}. */
@Command(name = "show", description = "Prints what the state holds, or all records of a kind, one a line.")
final class StateShowCommand implements Callable<Integer> {
    /** Forms of the answer. */
    enum Format {
        TEXT,
        JSON;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Words for {@code --kind}, for completion. */
    static final class Kinds implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Arrays.stream(Kind.values()).map(RecordJson::word).iterator();
        }
    }

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Mixin
    private StateLocation location = new StateLocation();

    @Option(
            names = "--kind",
            paramLabel = "K",
            completionCandidates = Kinds.class,
            description = "lists the records of this kind: ${COMPLETION-CANDIDATES}")
    private @Nullable String kind;

    @Option(
            names = "--format",
            defaultValue = "text",
            paramLabel = "text|json",
            description = "form of the answer: ${COMPLETION-CANDIDATES} (default: text)")
    private Format format = Format.TEXT;

    @Override
    public Integer call() throws IOException {
        Kind listed = kind == null ? null : RecordJson.kind(kind);
        StoredState state = location.read();
        PrintWriter out = spec.commandLine().getOut();
        StateText text = new StateText(state);
        if (listed == null) {
            (format == Format.JSON ? List.of(text.json().toString()) : text.summary()).forEach(out::println);
        } else {
            List<StateRecord> records = state.records().stream()
                    .filter(record -> record.key().kind() == listed)
                    .toList();
            if (format == Format.JSON) {
                records.forEach(record -> out.println(RecordJson.write(record)));
            } else {
                text.table(records).forEach(out::println);
            }
        }
        return 0;
    }
}
