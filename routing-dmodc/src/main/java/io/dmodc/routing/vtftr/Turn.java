package io.dmodc.routing.vtftr;

/** What a leaf does with a packet. */
public enum Turn {
    /** To a host of its own. */
    DELIVER('L'),
    /** To a root of its row. */
    ROW('X'),
    /** To a root of its column. */
    COLUMN('Y'),
    /** Nothing: the destination is dead, or there is no route to it. */
    NONE('-');

    private final char letter;

    Turn(char letter) {
        this.letter = letter;
    }

    /** As in the text of tables. */
    public char letter() {
        return letter;
    }

    /** The letter, as tables hold it. */
    byte code() {
        return (byte) letter;
    }

    static Turn of(byte code) {
        return switch (code) {
            case 'L' -> DELIVER;
            case 'X' -> ROW;
            case 'Y' -> COLUMN;
            default -> NONE;
        };
    }
}
