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
 * Programs that wait in namespaces for a line to carry out, so that a fault takes as long as the kernel takes for it and no
 * process has to be started first. Used by one thread.
 */
final class NamespaceShell implements Closeable {
    private final Map<String, PrintStream> open = new HashMap<>();

    /** Has {@code ip} or {@code tc} started there, or {@code sh} outside, if it was not. */
    void prepare(String program, String namespace) throws IOException {
        if (!open.containsKey(program + namespace)) {
            List<String> command =
                    program.equals("sh") ? List.of("sh") : List.of(program, "-n", namespace, "-force", "-batch", "-");
            Process process = new ProcessBuilder(command)
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start();
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
