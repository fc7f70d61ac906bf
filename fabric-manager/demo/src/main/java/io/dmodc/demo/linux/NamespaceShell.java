package io.dmodc.demo.linux;

import java.io.Closeable;
import java.io.IOException;
import java.io.PrintStream;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Programs that wait in namespaces for a line to carry out, so that a fault takes as long as the kernel takes for it: no process has to
 * be started first, and it runs in real time, before the probes and before those who notice the fault. Used by one thread.
 */
final class NamespaceShell implements Closeable {
    private static final int REAL_TIME_PRIORITY = Probes.REAL_TIME_PRIORITY + 1;

    private final Map<String, PrintStream> open = new HashMap<>();

    /** Has {@code ip} or {@code tc} started there, if it was not. */
    void prepare(String program, String namespace) throws IOException {
        if (!open.containsKey(program + namespace)) {
            Process process = new ProcessBuilder(program, "-n", namespace, "-force", "-batch", "-")
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start();
            Commands.runInRealTime(process, REAL_TIME_PRIORITY);
            open.put(program + namespace, new PrintStream(process.getOutputStream(), true, StandardCharsets.US_ASCII));
        }
    }

    /** Has lines carried out, one after the other; this does not wait for them. */
    void say(String program, String namespace, List<String> lines) throws IOException {
        prepare(program, namespace);
        PrintStream stream = open.get(program + namespace);
        if (stream != null) {
            stream.print(NamespaceFabric.text(lines));
            stream.flush();
        }
    }

    @Override
    public void close() {
        open.values().forEach(PrintStream::close);
        open.clear();
    }
}
