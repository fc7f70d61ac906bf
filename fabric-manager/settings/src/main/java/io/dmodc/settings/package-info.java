/** Strict YAML into records. */
@NullMarked
package io.dmodc.settings;

import org.jspecify.annotations.NullMarked;
