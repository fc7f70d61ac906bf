package io.dmodc.manager.core;

/** A port of the fabric by names: switch GUID and port number. */
record PortKey(long guid, int port) {}
