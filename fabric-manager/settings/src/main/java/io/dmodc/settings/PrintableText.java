package io.dmodc.settings;

/** Texts that somebody else chose and people read. */
public final class PrintableText {
    private PrintableText() {}

    /**
     * A question mark for each character that has no picture: controls, ends of lines, marks that turn the direction of writing,
     * halves of pairs, what Unicode has not assigned. So no name begins a line of the log, and no longer text comes back.
     */
    public static String of(String text) {
        if (text.codePoints().allMatch(PrintableText::isPrintable)) {
            return text;
        }
        StringBuilder printable = new StringBuilder(text.length());
        text.codePoints().map(each -> isPrintable(each) ? each : '?').forEach(printable::appendCodePoint);
        return printable.toString();
    }

    private static boolean isPrintable(int codePoint) {
        return switch (Character.getType(codePoint)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED -> false;
            default -> true;
        };
    }
}
