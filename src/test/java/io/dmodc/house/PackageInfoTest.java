package io.dmodc.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every package says what it is for, and is null-marked. */
class PackageInfoTest {

    /** Surefire starts in the module's directory, {@code src/test}. */
    private static final Path ROOT = Path.of("../..").toAbsolutePath().normalize();

    @Test
    void shouldFindPackageInfoWithNullMarkedInEveryPackage() throws IOException {
        TreeSet<Path> packages = new TreeSet<>();
        for (Path sources : sourceRoots()) {
            packages.addAll(packagesOf(sources));
        }

        List<String> silent = packages.stream()
                .filter(folder -> !speaks(folder.resolve("package-info.java")))
                .map(folder -> ROOT.relativize(folder).toString())
                .toList();

        assertThat(packages).as("packages under " + ROOT).hasSizeGreaterThanOrEqualTo(8);
        assertThat(silent)
                .as("packages without a null-marked package-info.java")
                .isEmpty();
    }

    private static List<Path> sourceRoots() throws IOException {
        try (Stream<Path> tree = Files.walk(ROOT, 5)) {
            return tree.filter(folder -> folder.endsWith("src/main/java")).toList();
        }
    }

    private static List<Path> packagesOf(Path sources) throws IOException {
        try (Stream<Path> tree = Files.walk(sources)) {
            return tree.filter(file -> file.toString().endsWith(".java"))
                    .map(Path::getParent)
                    .distinct()
                    .toList();
        }
    }

    private static boolean speaks(Path packageInfo) {
        try {
            String text = Files.exists(packageInfo) ? Files.readString(packageInfo) : "";
            return text.startsWith("/**") && text.contains("@NullMarked");
        } catch (IOException e) {
            throw new IllegalStateException("cannot read " + packageInfo, e);
        }
    }
}
