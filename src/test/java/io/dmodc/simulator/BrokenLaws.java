package io.dmodc.simulator;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * Prints which seeds break a law, for a process of its own that runs changed classes: {@code BrokenLaws LAW KIND FROM TO MOST SECONDS}
 * gives one line {@code SEED LAW TEXT} for each seed that does, until it is that many or so much processor time is used. Kinds of histories: {@link Simulation.Options#named}.
 */
public final class BrokenLaws {
    private BrokenLaws() {}

    public static void main(String[] arguments) {
        Law law = Law.valueOf(arguments[0]);
        Simulation.Options options = Simulation.Options.named(arguments[1]);
        long to = Long.parseLong(arguments[3]);
        int left = Integer.parseInt(arguments[4]);
        ThreadMXBean processor = ManagementFactory.getThreadMXBean();
        long end = Long.parseLong(arguments[5]) * Simulation.SECOND;
        for (long seed = Long.parseLong(arguments[2]);
                seed <= to && left > 0 && processor.getCurrentThreadCpuTime() < end;
                seed++) {
            for (Violation violation : Simulation.run(seed, options).violations()) {
                if (violation.law() == law) {
                    System.out.println(seed + " " + law + " " + violation.text());
                    left--;
                }
            }
        }
    }
}
