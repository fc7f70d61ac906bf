/**
 * What the REST interface answers, as records: the shapes that {@code docs/openapi.yaml} promises.
 *
 * <p>Entry points: one record an answer, each with a factory that reads a
 * {@link io.dmodc.manager.core.FabricSnapshot} or an immutable view, on any thread. GUIDs and digests are text (a JSON number holds
 * 53 bits only), durations are whole microseconds. A component that is {@code null} is left out of the JSON. Adding a
 * component is a compatible change, removing or renaming one is not. May depend on the core, the event log and the topology;
 * must not know HTTP.
 */
@NullMarked
package io.dmodc.manager.northbound.answer;

import org.jspecify.annotations.NullMarked;
