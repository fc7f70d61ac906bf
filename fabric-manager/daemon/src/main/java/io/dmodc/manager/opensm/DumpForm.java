package io.dmodc.manager.opensm;

import java.nio.charset.StandardCharsets;

/** What a line of a dump says of its destination. Lines of one form are of the same length. */
enum DumpForm {
    /** LID and port GUID: OpenSM looks the port up, and takes the LID that it has given to it, whatever the line says. */
    WITH_GUIDS("0x0000 000 portguid 0x0000000000000000:\n"),

    /**
     * The LID alone, which OpenSM takes as it stands: the same tables, without millions of ports to look up, as long as no LID is dealt anew. It is read in a third of the time.
     */
    LIDS_ONLY("0x0000 000\n");

    private final String line;

    DumpForm(String line) {
        this.line = line;
    }

    /** A line with zeros for all that is to be filled in, its end with it. */
    byte[] line() {
        return line.getBytes(StandardCharsets.US_ASCII);
    }

    /** Of a line, in bytes. */
    int lineLength() {
        return line.length();
    }
}
