package io.dmodc.manager.opensm;

import io.dmodc.subnet.IbrouteText;
import io.dmodc.subnet.OpenSmSettings;
import io.dmodc.subnet.SwitchReader;
import io.dmodc.subnet.SwitchReader.Answer;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** Asks switches what they hold of what is written for them. For one thread. */
final class ReadBack implements AutoCloseable {
    private static final byte[] NOTHING = {};

    /**
     * What a switch said.
     *
     * @param ports by LID; empty when it does not answer
     * @param failure why not, for people; else empty
     */
    record Held(SwitchTable table, byte[] ports, String failure) {
        static Held of(Answer<SwitchTable, byte[]> answer) {
            byte[] said = answer.said();
            return new Held(answer.of(), said == null ? NOTHING : said, answer.failure());
        }

        boolean answered() {
            return failure.isEmpty();
        }
    }

    private final SwitchReader<byte[]> reader;

    ReadBack(OpenSmSettings settings) {
        reader = new SwitchReader<>(settings, IbrouteText::ports);
    }

    /** True if one command reads all. */
    boolean readsAll() {
        return reader.readsAll();
    }

    /** As {@link SwitchReader#read}. */
    int read(List<SwitchTable> switches, Discovery found, BooleanSupplier enough, Consumer<Held> taker)
            throws InterruptedException {
        return reader.read(switches, found.paths(), enough, answer -> taker.accept(Held.of(answer)));
    }

    @Override
    public void close() {
        reader.close();
    }
}
