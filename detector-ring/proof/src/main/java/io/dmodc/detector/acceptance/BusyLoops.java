package io.dmodc.detector.acceptance;

import java.io.IOException;

/** The program of a child that does nothing but keep processors busy, until its input ends. */
public final class BusyLoops {
    private BusyLoops() {}

    /** Argument: how many threads. */
    public static void main(String[] args) throws IOException {
        for (int i = Integer.parseInt(args[0]); i > 0; i--) {
            Thread loop = new Thread(BusyLoops::spin, "busy");
            loop.setDaemon(true);
            loop.start();
        }
        while (System.in.read() >= 0) {
            // What is said does not matter.
        }
    }

    private static void spin() {
        while (!Thread.currentThread().isInterrupted()) {
            Thread.onSpinWait();
        }
    }
}
