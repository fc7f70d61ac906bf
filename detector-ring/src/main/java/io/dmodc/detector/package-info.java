/** Failure detection. */
@NullMarked
package io.dmodc.detector;

import org.jspecify.annotations.NullMarked;
