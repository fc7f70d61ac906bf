package io.dmodc.mutants;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * Runs tests in a JVM of their own: {@code Class#method...}. Exit code 0: all succeed, {@link #FAILED}: some fail; any
 * other, also that of an exception: they could not be run.
 */
final class NamedTests {
    static final int FAILED = 3;

    private NamedTests() {}

    public static void main(String[] tests) throws ClassNotFoundException {
        List<DiscoverySelector> selectors = new ArrayList<>();
        for (String test : tests) {
            selectors.add(selector(test));
        }
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        LauncherDiscoveryRequest request =
                LauncherDiscoveryRequestBuilder.request().selectors(selectors).build();
        LauncherFactory.create().execute(request, listener);
        TestExecutionSummary summary = listener.getSummary();
        summary.getFailures()
                .forEach(failure -> System.out.println(
                        failure.getTestIdentifier().getDisplayName() + ": " + failure.getException()));
        System.exit(
                summary.getTotalFailureCount() > 0 ? FAILED : summary.getTestsSucceededCount() < tests.length ? 2 : 0);
    }

    private static DiscoverySelector selector(String test) throws ClassNotFoundException {
        String[] parts = test.split("#", 2);
        Class<?> type = Class.forName(parts[0]);
        Method method = Arrays.stream(type.getDeclaredMethods())
                .filter(it -> it.getName().equals(parts[1]))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no test " + test));
        return selectMethod(type, method);
    }
}
