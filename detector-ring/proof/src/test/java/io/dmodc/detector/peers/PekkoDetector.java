package io.dmodc.detector.peers;

import com.typesafe.config.Config;
import org.apache.pekko.event.EventStream;
import org.apache.pekko.remote.PhiAccrualFailureDetector;

/**
 * Pekko's phi-accrual detector, which can be told to suspect nobody: else a group of cold members never forms, as one
 * that is held unreachable keeps all others from being taken in. Made by name, one for each member another one watches,
 * so the switch is that of the process, and there is one cluster at a time in it.
 */
public final class PekkoDetector extends PhiAccrualFailureDetector {
    private static volatile boolean suspecting;

    public PekkoDetector(Config settings, EventStream events) {
        super(settings, events);
    }

    /** Whether detectors of this process suspect anybody from now on. */
    static void suspect(boolean on) {
        suspecting = on;
    }

    @Override
    public boolean isAvailable() {
        return !suspecting || super.isAvailable();
    }
}
