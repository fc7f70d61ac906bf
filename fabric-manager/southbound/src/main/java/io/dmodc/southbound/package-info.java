/** The protocol between manager and agents. */
@NullMarked
package io.dmodc.southbound;

import org.jspecify.annotations.NullMarked;
