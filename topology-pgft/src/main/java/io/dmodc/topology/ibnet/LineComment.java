package io.dmodc.topology.ibnet;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The end of a line, after {@code #}: a description in quotes, which may itself hold quotes, with addresses on one or
 * both sides of it. All of it may be missing.
 *
 * @param name the description, empty where there is none
 * @param lidBefore address left of the description, as printed; 0 where there is none
 * @param lidAfter address right of it, as printed; 0 where there is none
 */
record LineComment(String name, int lidBefore, int lidAfter) {
    private static final Pattern LID = Pattern.compile("\\blid\\s+0*(\\d+)\\b");

    static LineComment parse(String text) {
        int open = text.indexOf('"');
        int close = text.lastIndexOf('"');
        if (close <= open) {
            return new LineComment("", lid(text), 0);
        }
        return new LineComment(
                text.substring(open + 1, close), lid(text.substring(0, open)), lid(text.substring(close + 1)));
    }

    private static int lid(String text) {
        Matcher lid = LID.matcher(text);
        if (!lid.find()) {
            return LidMap.NONE;
        }
        return lid.group(1).length() > 9 ? Integer.MAX_VALUE : Integer.parseInt(lid.group(1));
    }
}
