package io.dmodc.manager.northbound;

import io.dmodc.settings.BuildInfo;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/**
 * What the build wrote down about itself.
 *
 * @param version of this program and the commit it was built from
 * @param d3 version of the drawing library, which is part of its path on the class path
 */
record Build(String version, String d3) {
    static Build read() {
        Properties properties = new Properties();
        try (InputStream in = Build.class.getResourceAsStream("build.properties")) {
            properties.load(in);
        } catch (IOException e) {
            throw new UncheckedIOException("build.properties cannot be read from the class path", e);
        }
        return new Build(BuildInfo.read().text(), properties.getProperty("d3", "unknown"));
    }
}
