/**
 * Strict YAML into records: a wrong key, type or range is one line that names file, line, key and what was expected.
 *
 * <p>Entry point: {@link io.dmodc.settings.Settings}. A settings class is a record whose components are the keys (kebab
 * case in the file), with a static {@code defaults()} and a compact constructor that checks ranges (see
 * {@link io.dmodc.settings.Range}). May depend on Jackson's YAML parser; knows no program's settings.
 */
@NullMarked
package io.dmodc.settings;

import org.jspecify.annotations.NullMarked;
