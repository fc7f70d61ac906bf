package io.dmodc.settings.cli;

import java.util.Arrays;
import java.util.List;

/**
 * An option that had another name once. Scripts that use it still work; help and completion show the new one only.
 *
 * @param command its words, as {@code topology show}
 * @param old as {@code --in}
 * @param now as {@code --topology}
 */
public record OldSpelling(String command, String old, String now) {

    /** Returns the arguments with the old names of the command they call replaced. */
    static String[] rewritten(List<OldSpelling> spellings, String... args) {
        String[] rewritten = args.clone();
        for (OldSpelling spelling : spellings) {
            spelling.rewrite(rewritten);
        }
        return rewritten;
    }

    private void rewrite(String[] args) {
        String[] words = command.split(" ", -1);
        if (args.length <= words.length || !Arrays.equals(words, Arrays.copyOf(args, words.length))) {
            return;
        }
        for (int i = words.length; i < args.length && !args[i].equals("--"); i++) {
            if (args[i].equals(old)) {
                args[i] = now;
            } else if (args[i].startsWith(old + "=")) {
                args[i] = now + args[i].substring(old.length());
            }
        }
    }
}
