package io.dmodc.manager.store;

import io.dmodc.manager.state.LeaderEpochs;
import io.dmodc.southbound.BoundedText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.random.RandomGenerator;

/**
 * Which manager this is: a number drawn at its first start and kept beside its state. It is no part of the state, so that an
 * export taken over by another machine is another manager there.
 */
public final class ManagerNumberFile {
    static final String NAME = "manager-number";

    private ManagerNumberFile() {}

    /**
     * Returns the number, after it was drawn and made durable if there is none.
     *
     * @param directory of the state, whose lock the caller holds
     * @param random draws it
     * @throws IllegalArgumentException in one line when the file does not hold one
     */
    public static int read(Path directory, RandomGenerator random) throws IOException {
        Path file = directory.resolve(NAME);
        if (!Files.exists(file)) {
            int number = random.nextInt(LeaderEpochs.NUMBERS);
            Path fresh = directory.resolve(NAME + ".new");
            DurableFiles.write(fresh, (number + "\n").getBytes(StandardCharsets.ISO_8859_1));
            DurableFiles.rename(fresh, file);
            return number;
        }
        String text = new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1).strip();
        if (!text.matches("\\d{1,4}") || Integer.parseInt(text) >= LeaderEpochs.NUMBERS) {
            throw new IllegalArgumentException("state file " + file + ": '" + BoundedText.shown(text)
                    + "'; expected a number in 0.." + (LeaderEpochs.NUMBERS - 1) + ", or no file: one is drawn then");
        }
        return Integer.parseInt(text);
    }
}
