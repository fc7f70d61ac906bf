package io.dmodc.house;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import java.time.Clock;
import java.util.Set;
import java.util.concurrent.Executor;

/**
 * What a core must not reach for: clocks, chance without a seed, loggers and the console, the network, and threads of
 * its own. An {@link Executor}, a {@code RandomGenerator} or a {@code long nowNanos} that is handed in is fine.
 */
final class Impurity {

    private static final String[] PACKAGES = {
        "org.slf4j..",
        "ch.qos.logback..",
        "java.util.logging..",
        "java.net..",
        "java.nio.channels..",
        "io.netty..",
        "com.linecorp.armeria..",
        "io.micrometer.."
    };

    private static final Set<String> TYPES = Set.of(
            "java.lang.System$Logger",
            "java.security.SecureRandom",
            "java.util.Timer",
            "java.util.concurrent.Executors",
            "java.util.concurrent.ThreadLocalRandom");

    /** Impure whatever the arguments are. */
    private static final Set<String> TARGETS = Set.of(
            "java.lang.System.nanoTime",
            "java.lang.System.currentTimeMillis",
            "java.lang.System.getLogger",
            "java.lang.System.out",
            "java.lang.System.err",
            "java.lang.Math.random",
            "java.lang.Thread.<init>",
            "java.lang.Thread.sleep",
            "java.lang.Thread.start",
            "java.util.Date.<init>",
            "java.util.UUID.randomUUID",
            "java.util.concurrent.ForkJoinPool.<init>",
            "java.util.concurrent.ForkJoinPool.commonPool",
            "java.util.concurrent.ThreadPoolExecutor.<init>",
            "java.util.concurrent.ScheduledThreadPoolExecutor.<init>",
            "java.util.random.RandomGenerator.getDefault",
            "java.util.random.RandomGenerator.of");

    /** Seeded by the surroundings unless a seed is given. */
    private static final Set<String> SEEDED_BY_ARGUMENT = Set.of(
            "java.util.Random.<init>",
            "java.util.SplittableRandom.<init>",
            "java.util.random.RandomGeneratorFactory.create");

    private Impurity() {}

    static DescribedPredicate<JavaClass> types() {
        return resideInAnyPackage(PACKAGES)
                .or(describe("are loggers, timers or chance", c -> TYPES.contains(c.getName())));
    }

    static DescribedPredicate<JavaAccess<?>> accesses() {
        return describe("a clock, chance, the console or a thread is reached", Impurity::isImpure);
    }

    private static boolean isImpure(JavaAccess<?> access) {
        String owner = access.getTargetOwner().getName();
        String name = access.getName();
        String target = owner + "." + name;
        return TARGETS.contains(target)
                || (SEEDED_BY_ARGUMENT.contains(target) && takesNothing(access))
                || (readsWallClock(owner, name) && !takes(access, Clock.class))
                || (usesCommonPool(owner, name) && !takes(access, Executor.class));
    }

    /** {@code Instant.now()} and {@code Clock.systemUTC()}. */
    private static boolean readsWallClock(String owner, String name) {
        return switch (name) {
            case "now" -> owner.startsWith("java.time.");
            case "systemUTC", "systemDefaultZone", "system", "tickMillis", "tickSeconds", "tickMinutes" ->
                owner.equals("java.time.Clock");
            default -> false;
        };
    }

    /** Parallel streams and sorts, and asynchronous stages without an executor, run on threads nobody handed in. */
    private static boolean usesCommonPool(String owner, String name) {
        boolean stage = owner.equals("java.util.concurrent.CompletableFuture")
                || owner.equals("java.util.concurrent.CompletionStage");
        return name.equals("parallelStream")
                || (name.equals("parallel") && owner.startsWith("java.util.stream."))
                || (name.startsWith("parallel") && owner.equals("java.util.Arrays"))
                || (name.endsWith("Async") && stage);
    }

    private static boolean takesNothing(JavaAccess<?> access) {
        return access.getTarget() instanceof CodeUnitAccessTarget unit
                && unit.getRawParameterTypes().isEmpty();
    }

    private static boolean takes(JavaAccess<?> access, Class<?> type) {
        return access.getTarget() instanceof CodeUnitAccessTarget unit
                && unit.getRawParameterTypes().stream().anyMatch(p -> p.isEquivalentTo(type));
    }
}
