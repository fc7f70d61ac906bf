package io.dmodc.agent.linux;

import io.dmodc.agent.plane.PlaneException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Takes away what a plane of the kernel's routes wrote, and nothing else. */
public final class RouteFlush {
    /**
     * What was taken away.
     *
     * @param routes of hosts, standing ones among them
     * @param neighbours that these led to
     */
    public record Removed(int routes, int neighbours) {}

    private RouteFlush() {}

    /**
     * Takes routes away first, then the neighbours, and forgets the table. Packets find no route from then on.
     *
     * @throws PlaneException in one line, when an agent has the state directory, the kernel refuses one, or {@code ip} does not work
     */
    public static Removed run(LinuxSettings settings) throws PlaneException {
        StateLock lock = StateLock.ofExisting(settings.stateDir());
        try {
            return runLocked(settings);
        } finally {
            lock.close();
        }
    }

    private static Removed runLocked(LinuxSettings settings) throws PlaneException {
        IpProgram program = new IpProgram(settings.command());
        KernelRoutes present = KernelRoutes.read(program, settings);
        List<RouteOp> ops = new ArrayList<>();
        present.standing().forEach((address, port) -> ops.add(RouteOp.standing(RouteOp.Kind.DELETE, address, port)));
        present.ours().forEach((address, port) -> ops.add(RouteOp.own(RouteOp.Kind.DELETE, address, port)));
        List<String> routes = new ArrayList<>();
        for (RouteOp op : ops) {
            StringBuilder line = new StringBuilder();
            op.appendTo(line, settings);
            routes.add(line.toString());
        }
        List<String> neighbours = present.neighbours().keySet().stream()
                .map(key -> "neigh del " + key.address() + " dev " + settings.interfaceOf(key.port()) + '\n')
                .toList();
        try (IpBatch batch = IpBatch.start(program.command("ip", "-force", "-batch", "-"))) {
            tell(batch, routes);
            tell(batch, neighbours);
            new HeldTableFile(settings.stateDir()).delete();
        } catch (IOException e) {
            throw new PlaneException(String.valueOf(e.getMessage()));
        }
        return new Removed(routes.size(), neighbours.size());
    }

    private static void tell(IpBatch batch, List<String> lines) throws IOException {
        for (int from = 0; from < lines.size(); from += IpBatch.LINES_MAX) {
            List<String> some = lines.subList(from, Math.min(lines.size(), from + IpBatch.LINES_MAX));
            Map<Integer, String> failures = batch.run(String.join("", some), some.size());
            if (!failures.isEmpty()) {
                String why = failures.values().iterator().next();
                throw new IOException(failures.size() + " were not taken away: " + IpProgram.withNeed(why));
            }
        }
    }
}
