package io.dmodc.ctl.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;

/** The congestion risk of an epoch's tables, in words. */
final class CongestionText {
    private CongestionText() {}

    /** All-to-all, mean of permutations and mean of shifts; a dash where it was not measured. */
    static String of(JsonNode congestion) {
        return congestion.isMissingNode()
                ? "–"
                : congestion.at("/allToAll").asText() + "/" + mean(congestion.at("/permutations")) + "/"
                        + mean(congestion.at("/shifts"));
    }

    static String mean(JsonNode sampled) {
        return String.format(Locale.ROOT, "%.2f", sampled.at("/mean").asDouble());
    }
}
