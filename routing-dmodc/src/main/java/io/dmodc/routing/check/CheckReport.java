package io.dmodc.routing.check;
/** temp */
public record CheckReport(boolean valid, String summary) {}
