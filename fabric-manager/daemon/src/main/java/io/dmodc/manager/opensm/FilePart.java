package io.dmodc.manager.opensm;

/**
 * Bytes that stand somewhere in a file.
 *
 * @param at from its beginning
 */
record FilePart(long at, byte[] bytes) {}
