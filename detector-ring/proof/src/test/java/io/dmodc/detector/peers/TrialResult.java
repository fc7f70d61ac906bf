package io.dmodc.detector.peers;

import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;

/**
 * What a trial found.
 *
 * @param knownMillis       kill to all-know, one for each kill
 * @param sentPerSecond     messages each member sends in calm
 * @param receivedPerSecond messages each member receives in calm
 * @param cores             processor time of the whole process in calm, garbage collection included
 * @param falseAccusations  how often a witness held somebody dead who was not silent, in the whole trial
 */
record TrialResult(
        List<Double> knownMillis, double sentPerSecond, double receivedPerSecond, double cores, int falseAccusations) {

    TrialResult {
        knownMillis = List.copyOf(knownMillis);
    }

    double min() {
        return sorted().findFirst().orElseThrow();
    }

    double max() {
        return knownMillis.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
    }

    /** With an even count, the mean of the two in the middle. */
    double median() {
        double[] values = sorted().toArray();
        return (values[(values.length - 1) / 2] + values[values.length / 2]) / 2;
    }

    private DoubleStream sorted() {
        return knownMillis.stream().mapToDouble(Double::doubleValue).sorted();
    }

    /** Several trials of one plan as one: all kills, the means of the calms, the sum of the false accusations. */
    static TrialResult merge(List<TrialResult> trials) {
        return new TrialResult(
                trials.stream().flatMap(t -> t.knownMillis.stream()).toList(),
                trials.stream()
                        .mapToDouble(TrialResult::sentPerSecond)
                        .average()
                        .orElseThrow(),
                trials.stream()
                        .mapToDouble(TrialResult::receivedPerSecond)
                        .average()
                        .orElseThrow(),
                trials.stream().mapToDouble(TrialResult::cores).average().orElseThrow(),
                trials.stream().mapToInt(TrialResult::falseAccusations).sum());
    }

    Properties toProperties() {
        Properties properties = new Properties();
        properties.setProperty(
                "known", knownMillis.stream().map(String::valueOf).collect(Collectors.joining(" ")));
        properties.setProperty("sent", Double.toString(sentPerSecond));
        properties.setProperty("received", Double.toString(receivedPerSecond));
        properties.setProperty("cores", Double.toString(cores));
        properties.setProperty("false", Integer.toString(falseAccusations));
        return properties;
    }

    static TrialResult ofProperties(Properties properties) {
        return new TrialResult(
                Arrays.stream(properties.getProperty("known").split(" "))
                        .map(Double::valueOf)
                        .toList(),
                Double.parseDouble(properties.getProperty("sent")),
                Double.parseDouble(properties.getProperty("received")),
                Double.parseDouble(properties.getProperty("cores")),
                Integer.parseInt(properties.getProperty("false")));
    }
}
