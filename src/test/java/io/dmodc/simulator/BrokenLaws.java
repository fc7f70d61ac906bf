package io.dmodc.simulator;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * Prints which laws seeds break, for a process of its own that runs changed classes: {@code BrokenLaws FROM TO MOST SECONDS [LAW]}
 * gives one line {@code SEED LAW TEXT} for each violation, until that many of that law were met or so much processor time is used. With a law of what operators
 * ask for they act meanwhile.
 */
public final class BrokenLaws {
    private BrokenLaws() {}

    public static void main(String[] arguments) {
        long to = Long.parseLong(arguments[1]);
        int left = Integer.parseInt(arguments[2]);
        ThreadMXBean processor = ManagementFactory.getThreadMXBean();
        long end = Long.parseLong(arguments[3]) * Simulation.SECOND;
        String law = arguments.length > 4 ? arguments[4] : "";
        boolean acts = !law.isEmpty() && Law.valueOf(law).isOfActs();
        Simulation.Options options = acts ? Simulation.Options.acting() : Simulation.Options.all();
        for (long seed = Long.parseLong(arguments[0]);
                seed <= to && left > 0 && processor.getCurrentThreadCpuTime() < end;
                seed++) {
            for (Violation violation : Simulation.run(seed, options).violations()) {
                if (law.isEmpty() || law.equals(violation.law().name())) {
                    System.out.println(seed + " " + violation.law() + " " + violation.text());
                    left--;
                }
            }
        }
    }
}
