package io.dmodc.ctl;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;

/** One run of {@code fabricctl} and what came of it. */
record Ctl(int code, List<String> out, List<String> err) {
    static final String FIGURE_1 = "3;2,2,3;1,2,2;1,2,1";

    static Ctl run(Object... words) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        String[] args = new String[words.length];
        for (int i = 0; i < words.length; i++) {
            args[i] = words[i].toString();
        }
        int code = Main.run(new PrintWriter(out), new PrintWriter(err), args);
        return new Ctl(
                code, out.toString().lines().toList(), err.toString().lines().toList());
    }

    String text() {
        return String.join("\n", out);
    }
}
