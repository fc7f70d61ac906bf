/**
 * The doors for people: REST, server-sent events, metrics, the web page.
 */
@NullMarked
package io.dmodc.manager.northbound;

import org.jspecify.annotations.NullMarked;
