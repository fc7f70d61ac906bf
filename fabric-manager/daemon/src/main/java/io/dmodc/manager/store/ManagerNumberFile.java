package io.dmodc.manager.store;

import io.dmodc.manager.state.LeaderEpochs;
import io.dmodc.southbound.BoundedText;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.CRC32C;

/**
 * Which manager this is: a number drawn at its first start and kept beside its state. It is no part of the state, so that an
 * export taken over by another machine is another manager there. One line: the number and, as two managers must not get one number by a damaged file, its CRC-32C. Files
 * from before have the number alone; one that was cut short lacks the end of its line.
 */
public final class ManagerNumberFile {
    static final String NAME = "manager-number";

    private static final Pattern LINE = Pattern.compile("(\\d{1,4})( crc32c [0-9a-f]{8})?\n");

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
            DurableFiles.write(fresh, (number + sum(number) + "\n").getBytes(StandardCharsets.ISO_8859_1));
            DurableFiles.rename(fresh, file);
            return number;
        }
        return number(file, new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1));
    }

    private static int number(Path file, String text) {
        Matcher line = LINE.matcher(text);
        if (line.matches()) {
            int number = Integer.parseInt(line.group(1));
            boolean intact = line.group(2) == null || line.group(2).equals(sum(number));
            if (number < LeaderEpochs.NUMBERS && intact) {
                return number;
            }
        }
        throw new IllegalArgumentException("state file " + file + ": '" + BoundedText.shown(text.strip())
                + "' is damaged; expected a line with a number in 0.." + (LeaderEpochs.NUMBERS - 1)
                + " and its sum, or no file: one is drawn then");
    }

    private static String sum(int number) {
        CRC32C crc = new CRC32C();
        crc.update(Integer.toString(number).getBytes(StandardCharsets.ISO_8859_1));
        return String.format(Locale.ROOT, " crc32c %08x", crc.getValue());
    }
}
