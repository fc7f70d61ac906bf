package io.dmodc.manager.northbound.answer;

import io.dmodc.topology.Guid;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A place in the list of cables: the switch and port one was found at. Written {@code 0x…:port}. */
public record LinkPlace(long guid, int port) {
    /** Before the first cable. */
    public static final LinkPlace START = new LinkPlace(0, 0);

    private static final Pattern TEXT = Pattern.compile("(0[xX][0-9a-fA-F]{1,16}):([0-9]{1,4})");

    /** Reads one back; {@code null} when the text is none. */
    public static @Nullable LinkPlace parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        return matcher.matches()
                ? new LinkPlace(Guid.parse(matcher.group(1)), Integer.parseInt(matcher.group(2)))
                : null;
    }

    boolean isBefore(long otherGuid, int otherPort) {
        int order = Long.compareUnsigned(guid, otherGuid);
        return order < 0 || (order == 0 && port < otherPort);
    }

    @Override
    public String toString() {
        return Guid.format(guid) + ":" + port;
    }
}
