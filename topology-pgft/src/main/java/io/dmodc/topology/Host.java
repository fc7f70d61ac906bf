package io.dmodc.topology;

/**
 * One host port cabled to a switch: a destination of the fabric. A host with two ports is two destinations.
 *
 * @param portGuid identity of the destination
 * @param hostGuid GUID of the adapter the port belongs to
 * @param hostPort port number on that adapter, from 1
 * @param name for people only
 */
public record Host(long portGuid, long hostGuid, int hostPort, String name) {}
