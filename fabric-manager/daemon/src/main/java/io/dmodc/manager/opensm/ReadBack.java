package io.dmodc.manager.opensm;

import io.dmodc.subnet.HeldLft;
import io.dmodc.subnet.IbrouteText;
import io.dmodc.subnet.OpenSmSettings;
import io.dmodc.subnet.SwitchReader;
import io.dmodc.subnet.SwitchReader.Answer;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Asks switches what they hold of what is written for them. For one thread. */
final class ReadBack implements AutoCloseable {
    /**
     * What a switch said.
     *
     * @param lft what it holds; nothing when it does not answer
     * @param failure why not, for people; else empty
     */
    record Held(SwitchTable table, HeldLft lft, String failure) {
        static Held of(Answer<SwitchTable, HeldLft> answer) {
            HeldLft said = answer.said();
            return new Held(answer.of(), said == null ? HeldLft.NOTHING : said, answer.failure());
        }

        boolean answered() {
            return failure.isEmpty();
        }
    }

    private final SwitchReader<HeldLft> reader;

    /** Reads switches one by one; null if there is no command for it. */
    private final @Nullable SwitchReader<HeldLft> ofFew;

    ReadBack(OpenSmSettings settings) {
        reader = new SwitchReader<>(settings, IbrouteText::table);
        String one = settings.readBackOfOne();
        ofFew = one == null ? null : new SwitchReader<>(one, settings, IbrouteText::table);
    }

    /** True if a few can be read without all others. */
    boolean readsFew() {
        return ofFew != null;
    }

    /** Reads these, one by one, as {@link SwitchReader#read}; only if it {@link #readsFew}. */
    int readFew(List<SwitchTable> few, Discovery found, BooleanSupplier enough, Consumer<Held> taker)
            throws InterruptedException {
        return Objects.requireNonNull(ofFew).read(few, found.paths(), enough, answer -> taker.accept(Held.of(answer)));
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
        if (ofFew != null) {
            ofFew.close();
        }
    }
}
