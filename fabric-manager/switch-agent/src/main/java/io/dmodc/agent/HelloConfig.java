package io.dmodc.agent;

import io.dmodc.detector.link.LinkRules;

/**
 * How an agent says hello over its switch's cables.
 *
 * @param cluster tells apart the fabrics that somebody may connect by mistake; the same for all agents of one
 */
public record HelloConfig(int cluster, LinkRules rules) {}
