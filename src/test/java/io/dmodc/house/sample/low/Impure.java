package io.dmodc.house.sample.low;

import java.net.Socket;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One way each to break the purity of a core. Only looked at, never run. */
public final class Impure {
    private Impure() {}

    /** A clock. */
    public static final class ReadsClock {
        long value() {
            return System.nanoTime();
        }
    }

    /** A clock, handed on. */
    public static final class ReadsClockByReference {
        LongSupplier value() {
            return System::currentTimeMillis;
        }
    }

    /** The wall clock. */
    public static final class ReadsWallClock {
        Instant value() {
            return Instant.now();
        }
    }

    /** Chance that no seed can repeat. */
    public static final class DrawsWithoutSeed {
        int value() {
            return new Random().nextInt();
        }
    }

    /** A logger. */
    public static final class Logs {
        Logger value() {
            return LoggerFactory.getLogger(Logs.class);
        }
    }

    /** The console. */
    public static final class Prints {
        void run() {
            System.out.println("here");
        }
    }

    /** The network. */
    public static final class OpensSocket {
        Socket value() {
            return new Socket();
        }
    }

    /** A thread of its own. */
    public static final class StartsThread {
        Thread value() {
            return new Thread(() -> {});
        }
    }

    /** A thread of everybody's. */
    public static final class BorrowsCommonPool {
        CompletableFuture<Integer> value() {
            return CompletableFuture.supplyAsync(() -> 1);
        }
    }

    /** Threads of everybody's, in disguise. */
    public static final class SplitsStream {
        int value() {
            return IntStream.range(0, 9).parallel().sum();
        }
    }
}
