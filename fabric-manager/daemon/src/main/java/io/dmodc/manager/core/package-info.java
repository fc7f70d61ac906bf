/** The pure core of the daemon. */
@NullMarked
package io.dmodc.manager.core;

import org.jspecify.annotations.NullMarked;
