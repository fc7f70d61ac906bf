/** The command line. */
@NullMarked
package io.dmodc.ctl;

import org.jspecify.annotations.NullMarked;
