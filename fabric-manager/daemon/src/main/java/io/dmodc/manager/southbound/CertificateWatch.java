package io.dmodc.manager.southbound;

import io.dmodc.southbound.tls.CertificateNames;
import io.dmodc.southbound.tls.TlsEndpoint;
import io.dmodc.topology.Guid;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Looks how long the certificates at the agents' door will do. Any thread. */
final class CertificateWatch {
    /** With less left, people should do something. */
    static final Duration SOON = Duration.ofDays(30);

    private static final int NAMES_TOLD = 5;

    private final @Nullable TlsEndpoint own;
    private final InstantSource clock;

    /** @param own the manager's; null: there are no certificates */
    CertificateWatch(@Nullable TlsEndpoint own, InstantSource clock) {
        this.own = own;
        this.clock = clock;
    }

    private record Ending(String whose, Instant at) {
        private String text() {
            return whose + " until " + at.truncatedTo(ChronoUnit.MINUTES);
        }
    }

    private Stream<Ending> ofManager() {
        return own == null
                ? Stream.empty()
                : Stream.of(new Ending(
                        "the manager's", own.keys().own().getNotAfter().toInstant()));
    }

    private static Stream<Ending> ofAgents(Stream<X509Certificate> agents) {
        return agents.map(one -> new Ending(
                CertificateNames.of(one).stream()
                        .map(Guid::format)
                        .collect(Collectors.joining(" and ", "that of ", "")),
                one.getNotAfter().toInstant()));
    }

    /** Seconds that the manager's certificate is still valid, negative once it is over; NaN when it has none. */
    double secondsOfManager() {
        return seconds(ofManager());
    }

    /** The same of the agent's, of those connected, whose ends first. */
    double secondsOfAgents(Stream<X509Certificate> agents) {
        return seconds(ofAgents(agents));
    }

    private double seconds(Stream<Ending> endings) {
        Instant now = clock.instant();
        return endings.mapToDouble(ending -> Duration.between(now, ending.at()).toSeconds())
                .min()
                .orElse(Double.NaN);
    }

    /** Which end soon, in one line, the first ones by name; empty when none does. */
    String ending(Stream<X509Certificate> agents) {
        Instant limit = clock.instant().plus(SOON);
        List<Ending> soon = Stream.concat(ofManager(), ofAgents(agents))
                .filter(ending -> ending.at().isBefore(limit))
                .sorted(Comparator.comparing(Ending::at).thenComparing(Ending::whose))
                .toList();
        if (soon.isEmpty()) {
            return "";
        }
        String first = soon.stream().limit(NAMES_TOLD).map(Ending::text).collect(Collectors.joining(", "));
        int more = soon.size() - NAMES_TOLD;
        return "certificates are valid only a short while: " + first + (more > 0 ? " and " + more + " more" : "");
    }
}
