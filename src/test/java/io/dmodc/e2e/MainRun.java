package io.dmodc.e2e;

import io.dmodc.manager.app.Main;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/**
 * A run of {@code fabric-manager} in this process, to its end. Takes the standard streams of the process: one at a time.
 *
 * @param status exit code
 */
public record MainRun(int status, String out, String err) {
    public static MainRun of(String... arguments) {
        PrintStream outBefore = System.out;
        PrintStream errBefore = System.err;
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        System.setOut(new PrintStream(out, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(err, true, StandardCharsets.UTF_8));
        int status;
        try {
            status = Main.run(arguments);
        } finally {
            System.setOut(outBefore);
            System.setErr(errBefore);
        }
        return new MainRun(status, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }
}
