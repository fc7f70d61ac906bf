package io.dmodc.settings;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Properties;
import java.util.regex.Pattern;

/**
 * What the build wrote down about itself; the same for all programs.
 *
 * @param version as {@code 0.1.0}
 * @param commit first digits of the commit it was built from, or {@value #UNKNOWN}
 */
public record BuildInfo(String version, String commit) {
    /** The commit of a build outside a repository and not from an archive that git made. */
    public static final String UNKNOWN = "unknown";

    private static final Pattern COMMIT = Pattern.compile("[0-9a-f]{7,40}");

    /** Reads what lies beside this class. */
    public static BuildInfo read() {
        Properties properties = new Properties();
        try (InputStream in = BuildInfo.class.getResourceAsStream("build.properties");
                InputStream commit = BuildInfo.class.getResourceAsStream("commit")) {
            properties.load(Objects.requireNonNull(in, "build.properties is not on the class path"));
            String built = commit == null ? "" : new String(commit.readAllBytes(), StandardCharsets.US_ASCII);
            return of(properties, built.strip());
        } catch (IOException e) {
            throw new UncheckedIOException("build.properties cannot be read from the class path", e);
        }
    }

    /**
     * Takes the commit that the build found, or else the one that git wrote into an archive.
     *
     * @param properties of the build; outside an archive, the word that git replaces is still there, which is no commit
     */
    static BuildInfo of(Properties properties, String built) {
        String version = properties.getProperty("version", UNKNOWN).replace("-SNAPSHOT", "");
        String archived = properties.getProperty("archive", "");
        return new BuildInfo(version, isCommit(built) ? built : isCommit(archived) ? archived : UNKNOWN);
    }

    private static boolean isCommit(String text) {
        return COMMIT.matcher(text).matches();
    }

    /** Returns version and commit as people are told them. */
    public String text() {
        return version + " (commit " + commit + ")";
    }

    /** Returns the one line that a program's version option prints. */
    public String line(String program) {
        return program + " " + text();
    }
}
