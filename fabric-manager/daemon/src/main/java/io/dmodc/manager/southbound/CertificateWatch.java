package io.dmodc.manager.southbound;

import io.dmodc.southbound.BoundedText;
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

/**
 * Looks how long the certificates at the agents' door will do. An agent's is the one it showed when its session began. Any
 * thread.
 */
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

    /** Seconds that the manager's certificate is still valid, negative once it is over; NaN when it has none. */
    double secondsOfManager() {
        return seconds(ofManager());
    }

    /** The same of the agent's, of those connected, whose ends first. */
    double secondsOfAgents(Stream<X509Certificate> agents) {
        return seconds(agents);
    }

    /** The same of the authority, of those in the manager's file, whose ends first. */
    double secondsOfAuthorities() {
        return seconds(authorities());
    }

    private Stream<X509Certificate> authorities() {
        return own == null ? Stream.empty() : own.keys().authorities().stream();
    }

    private Stream<X509Certificate> ofManager() {
        return own == null ? Stream.empty() : Stream.of(own.keys().own());
    }

    private double seconds(Stream<X509Certificate> certificates) {
        Instant now = clock.instant();
        return certificates
                .mapToDouble(one -> Duration.between(now, end(one)).toSeconds())
                .min()
                .orElse(Double.NaN);
    }

    /** Which end soon, in one line, the first ones by name; empty when none does. */
    String ending(Stream<X509Certificate> agents) {
        Instant limit = clock.instant().plus(SOON);
        List<Ending> soon = Stream.of(
                        ofManager().map(one -> new Ending(Of.MANAGER, one)),
                        authorities().map(one -> new Ending(Of.AUTHORITY, one)),
                        agents.map(one -> new Ending(Of.AGENT, one)))
                .flatMap(all -> all)
                .filter(one -> one.at().isBefore(limit))
                .sorted(Comparator.comparing(Ending::at).thenComparing(Ending::whose))
                .toList();
        if (soon.isEmpty()) {
            return "";
        }
        String first = soon.stream()
                .limit(NAMES_TOLD)
                .map(one -> one.whose() + " until " + one.at().truncatedTo(ChronoUnit.MINUTES))
                .collect(Collectors.joining(", "));
        int more = soon.size() - NAMES_TOLD;
        boolean agent = soon.stream().anyMatch(one -> one.of == Of.AGENT);
        return "certificates are valid only a short while: " + first + (more > 0 ? " and " + more + " more" : "")
                + (agent ? "; an agent shows a new one when it connects again" : "");
    }

    private static Instant end(X509Certificate certificate) {
        return certificate.getNotAfter().toInstant();
    }

    private enum Of {
        MANAGER,
        AUTHORITY,
        AGENT
    }

    /** A certificate; its names are read only when it is told of. */
    private record Ending(Of of, X509Certificate certificate) {
        private Instant at() {
            return end(certificate);
        }

        private String whose() {
            return switch (of) {
                case MANAGER -> "the manager's";
                case AUTHORITY ->
                    "that of the authority "
                            + BoundedText.shown(
                                    certificate.getSubjectX500Principal().getName());
                case AGENT ->
                    CertificateNames.of(certificate).stream()
                            .map(Guid::format)
                            .collect(Collectors.joining(" and ", "that of ", ""));
            };
        }
    }
}
