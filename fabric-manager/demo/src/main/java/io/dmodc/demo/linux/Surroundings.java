package io.dmodc.demo.linux;

import java.util.List;
import java.util.stream.Stream;

/** What the machine must have, and must not have already, for a fabric of namespaces. Stateless. */
final class Surroundings {
    private static final String TRIED = FabricPlan.PREFIX + "tried";
    private static final String PERMISSION = "; expected to be root, or inside"
            + " unshare -Urnm sh -c 'mount -t tmpfs tmpfs /run && exec fabric-manager demo --plane linux'";

    private Surroundings() {}

    /** @throws LinuxFailure in one line that says what is missing or in the way */
    static void check() throws LinuxFailure {
        present("ip", "-Version");
        present("tc", "-Version");
        List<String> there = namespaces();
        if (!there.isEmpty()) {
            throw new LinuxFailure(
                    "namespaces " + String.join(" ", there) + " exist already, of a demonstration that runs or of one"
                            + " that was killed: fabric-manager demo --plane linux --clean removes them, or ip netns delete NAME");
        }
        permitted();
        free();
    }

    private static void present(String program, String version) throws LinuxFailure {
        try {
            Commands.run(program, version);
        } catch (LinuxFailure e) {
            throw new LinuxFailure("the program " + program + " is missing (" + e.getMessage()
                    + "); Debian has it in the package iproute2");
        }
    }

    /** Those of the machine whose names are ours. */
    static List<String> namespaces() throws LinuxFailure {
        return Commands.run("ip", "netns", "list")
                .lines()
                .map(line -> line.split(" ", 2)[0])
                .filter(name -> name.startsWith(FabricPlan.PREFIX))
                .sorted()
                .toList();
    }

    private static void permitted() throws LinuxFailure {
        try {
            Commands.run("ip", "netns", "add", TRIED);
            Commands.run("ip", "link", "add", TRIED, "type", "veth", "peer", "name", "p1", "netns", TRIED);
        } catch (LinuxFailure e) {
            throw new LinuxFailure(
                    "network namespaces cannot be made and cabled here (" + e.getMessage() + ")" + PERMISSION);
        } finally {
            Commands.tryRun(List.of("ip", "link", "delete", TRIED), "");
            Commands.tryRun(List.of("ip", "netns", "delete", TRIED), "");
        }
    }

    private static void free() throws LinuxFailure {
        Stream<String> used = Stream.of(
                        Commands.run("ip", "-4", "-o", "address", "show", "to", FabricPlan.MANAGEMENT_NETWORK),
                        Commands.run("ip", "-4", "-o", "route", "show", "root", FabricPlan.MANAGEMENT_NETWORK),
                        Commands.run("ip", "-4", "-o", "route", "show", "match", FabricPlan.MANAGEMENT_NETWORK))
                .flatMap(String::lines)
                .filter(line -> !line.startsWith("default"));
        String first = used.findFirst().orElse("");
        if (!first.isEmpty()) {
            throw new LinuxFailure(FabricPlan.MANAGEMENT_NETWORK
                    + ", which the switches are managed over, is in use on this machine: " + first.strip());
        }
    }
}
