package io.dmodc.agent.exec;

import io.dmodc.agent.plane.InstallProgress;
import io.dmodc.agent.plane.InstalledTable;
import io.dmodc.agent.plane.PlaneException;
import io.dmodc.agent.plane.TableChange;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.CompletableFuture;

/**
 * Something asked of a program's table. Its fields are guarded by the plane, but for what the run's writer does.
 *
 * @param <T> what comes of it
 */
abstract class Operation<T> {
    final long id;
    final CompletableFuture<T> result = new CompletableFuture<>();

    /** The program is being told. */
    boolean begun;

    private Operation(long id) {
        this.id = id;
    }

    /** Tells the program, as fast as it listens; on the run's writer. */
    abstract void writeTo(OutputStream out, ProgramLines lines) throws IOException;

    /** Tells who asked; not while the plane is held. */
    void fail(String why) {
        result.completeExceptionally(new PlaneException(why));
    }

    /** What does it hold? */
    static final class Reading extends Operation<InstalledTable> {
        final TableReader table = new TableReader();

        Reading(long id) {
            super(id);
        }

        @Override
        void writeTo(OutputStream out, ProgramLines lines) throws IOException {
            out.write(lines.read(id));
        }
    }

    /** A table for it. */
    static final class Installing extends Operation<Void> {
        final InstallProgress progress;

        /** Highest progress told. */
        int done = -1;

        private final TableChange change;
        private volatile boolean committed;

        Installing(long id, TableChange change, InstallProgress progress) {
            super(id);
            this.change = change;
            this.progress = progress;
        }

        /** Line by line: a large table is nowhere in memory as text. */
        @Override
        void writeTo(OutputStream out, ProgramLines lines) throws IOException {
            out.write(lines.install(id, change));
            for (int index = change.changed().nextSetBit(0);
                    index >= 0;
                    index = change.changed().nextSetBit(index + 1)) {
                out.write(lines.change(change, index));
            }
            // Before the program can answer it.
            committed = true;
            out.write(lines.commit(id));
        }

        /** All of it is told. */
        boolean committed() {
            return committed;
        }
    }
}
