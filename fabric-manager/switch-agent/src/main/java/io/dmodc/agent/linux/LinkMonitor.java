package io.dmodc.agent.linux;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * One {@code ip -o monitor link}: tells what happens to interfaces. A thread of its own reads.
 *
 * <p>Alone it would outlive an agent that was killed, until the next thing happens to an interface, and keep its namespace from ending. So a
 * shell beside it waits for the end of its input, which ends with the agent in any case, and ends it then.
 */
final class LinkMonitor implements AutoCloseable {
    private static final String SCRIPT = "exec 3<&0; {"
            + " read -r end; read -r name < /proc/$$/comm; [ \"$name\" = ip ] && kill $$; } <&3 >/dev/null 2>&1 &"
            + " exec ip -o monitor link </dev/null 3<&-";

    /** So it begins when there was more than its socket holds: the rest of the news comes, what did not fit is lost. */
    private static final String LOST = "netlink receive error";

    private final Process process;

    private LinkMonitor(Process process) {
        this.process = process;
    }

    /**
     * Starts one. What happens before it listens is not told: who needs that reads all interfaces a moment later.
     *
     * @param program how it is started
     * @param news told each interface that something happened to
     * @param lost told when something happened that is not told
     * @param ended told when it ended, once; not when it was closed before
     * @throws IOException when there is no such program, or it may not be started
     */
    @SuppressWarnings("ThreadPriorityCheck") // a hint: nothing rests on it
    static LinkMonitor start(IpProgram program, Consumer<LinkState> news, Runnable lost, Runnable ended)
            throws IOException {
        Process process = new ProcessBuilder(program.command("sh", "-c", SCRIPT))
                .redirectErrorStream(true)
                .start();
        LinkMonitor monitor = new LinkMonitor(process);
        Thread reader = new Thread(() -> monitor.read(news, lost, ended), UrgentThreads.IP_MONITOR);
        reader.setDaemon(true);
        reader.setPriority(Thread.MAX_PRIORITY);
        reader.start();
        return monitor;
    }

    private void read(Consumer<LinkState> news, Runnable lost, Runnable ended) {
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                LinkState link = LinkState.parse(line);
                if (link != null) {
                    news.accept(link);
                } else if (line.startsWith(LOST)) {
                    lost.run();
                }
            }
        } catch (IOException e) {
            // As at its end.
        }
        process.destroyForcibly();
        ended.run();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
