package io.dmodc.detector.acceptance;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where the programs lie that print rows of their own: seen from the jar of this class, else from the current
 * directory.
 */
final class ProgramPaths {
    private ProgramPaths() {}

    /** The launcher of the manager beside the one that started this. */
    static Optional<Path> managerLauncher() {
        return startingPoints()
                .flatMap(ProgramPaths::upwards)
                .flatMap(place -> Stream.of(
                        place.resolve("bin/fabric-manager"), place.resolve("fabric-manager/bin/fabric-manager")))
                .filter(Files::isExecutable)
                .findFirst();
    }

    /** The root of the source checkout this was built in. */
    static Optional<Path> checkout() {
        return startingPoints()
                .flatMap(ProgramPaths::upwards)
                .filter(place -> Files.exists(place.resolve("detector-ring/pom.xml"))
                        && Files.exists(place.resolve("fabric-manager/pom.xml")))
                .findFirst();
    }

    /** Finds a program as a shell would. */
    static Optional<Path> onPath(String program) {
        String path = System.getenv().getOrDefault("PATH", "");
        return Arrays.stream(path.split(File.pathSeparator, -1))
                .filter(directory -> !directory.isEmpty())
                .map(directory -> Path.of(directory, program))
                .filter(Files::isExecutable)
                .findFirst();
    }

    private static Stream<Path> startingPoints() {
        Path here = Path.of("").toAbsolutePath();
        try {
            return Stream.of(
                    Path.of(ProgramPaths.class
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI()),
                    here);
        } catch (URISyntaxException unusable) {
            return Stream.of(here);
        }
    }

    private static Stream<Path> upwards(Path from) {
        return Stream.iterate(from, place -> place != null, Path::getParent);
    }
}
