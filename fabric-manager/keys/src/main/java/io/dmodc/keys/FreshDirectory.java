package io.dmodc.keys;

import io.dmodc.settings.FreshFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;
import java.util.stream.Stream;

/** A directory that is there whole, or not at all: it is filled beside its place and gets its name at the end. */
final class FreshDirectory implements AutoCloseable {
    private final Path place;
    private final Path fresh;

    /** @throws IOException in one line when there is something at the place; an empty directory is nothing */
    FreshDirectory(Path place) throws IOException {
        this.place = place;
        if (Files.isDirectory(place)) {
            try (Stream<Path> there = Files.list(place)) {
                if (there.findAny().isPresent()) {
                    throw taken();
                }
            }
        } else if (Files.exists(place)) {
            throw taken();
        }
        Path whole = place.toAbsolutePath().normalize();
        fresh = FreshFiles.beside(whole);
        StagedFiles.makeDirectories(Objects.requireNonNullElse(whole.getParent(), whole));
        FreshFiles.discardLeft(whole);
        FreshFiles.delete(fresh); // A process of this number left it.
        StagedFiles.makeDirectory(fresh);
    }

    private IOException taken() {
        return new IOException(place + ": there is something already; expected a new or an empty directory");
    }

    /** Where to put what it shall hold. */
    Path path() {
        return fresh;
    }

    /** All is there: gives it its name. */
    void keep() throws IOException {
        Files.move(fresh, place, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Takes away what was not kept. */
    @Override
    public void close() throws IOException {
        FreshFiles.delete(fresh);
    }
}
