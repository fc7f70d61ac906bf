package io.dmodc.southbound.tls;

import java.nio.file.Path;

/**
 * The files with which one side shows who it is and knows the other; PEM.
 *
 * @param certificate of this side, behind it those that lead to an authority of the other side
 * @param privateKey of that certificate, PKCS #8 without a password, readable by nobody but its owner and group
 * @param authority certificates of all authorities that the other side's certificate may come from
 */
public record TlsFiles(Path certificate, Path privateKey, Path authority) {
    /** Names of the files in a directory, as {@code fabric-manager keys} makes them. */
    public static final String CERTIFICATE = "certificate.pem";

    public static final String PRIVATE_KEY = "private-key.pem";
    public static final String AUTHORITY = "authority.pem";

    private static final Path DIRECTORY = Path.of("/etc/fabric-manager/keys");

    /** The files where both programs look unless they are told otherwise. */
    public static TlsFiles defaults() {
        return in(DIRECTORY);
    }

    /** The files of a directory. */
    public static TlsFiles in(Path directory) {
        return new TlsFiles(
                directory.resolve(CERTIFICATE), directory.resolve(PRIVATE_KEY), directory.resolve(AUTHORITY));
    }
}
