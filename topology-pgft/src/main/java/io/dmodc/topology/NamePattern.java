package io.dmodc.topology;

/**
 * A pattern of names: {@code *} stands for any characters, {@code ?} for one. Of several {@code *} only the last one met is
 * ever tried with more characters, since the ones before it need not be: O(pattern · name) time, whatever a host calls itself.
 */
final class NamePattern {
    private final int[] pattern;

    NamePattern(String text) {
        pattern = text.codePoints().toArray();
    }

    /** True if all of the name is as the pattern says. */
    boolean matches(String text) {
        int[] name = text.codePoints().toArray();
        int p = 0;
        int n = 0;
        int star = -1;
        int taken = 0;
        while (n < name.length) {
            if (p < pattern.length && pattern[p] == '*') {
                star = p++;
                taken = n;
            } else if (p < pattern.length && (pattern[p] == '?' || pattern[p] == name[n])) {
                p++;
                n++;
            } else if (star >= 0) {
                p = star + 1;
                n = ++taken;
            } else {
                return false;
            }
        }
        while (p < pattern.length && pattern[p] == '*') {
            p++;
        }
        return p == pattern.length;
    }
}
