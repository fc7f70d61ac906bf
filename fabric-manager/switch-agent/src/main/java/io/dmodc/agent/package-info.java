/** The switch agent. */
@NullMarked
package io.dmodc.agent;

import org.jspecify.annotations.NullMarked;
