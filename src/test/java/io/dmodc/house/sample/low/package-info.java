/** Samples that the rules of the house are tried on; knows the other sample package on purpose. */
@NullMarked
package io.dmodc.house.sample.low;

import org.jspecify.annotations.NullMarked;
