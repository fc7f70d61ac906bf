/** The fabric as immutable views. */
@NullMarked
package io.dmodc.topology;

import org.jspecify.annotations.NullMarked;
