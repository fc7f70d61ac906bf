/** Forwarding tables and what they are made by. */
@NullMarked
package io.dmodc.routing;

import org.jspecify.annotations.NullMarked;
