package io.dmodc.routing;
/** temp */
public final class Engines { private Engines() {} public static RoutingEngine byName(String n) { if (n.isEmpty()) { throw new IllegalStateException(); } return java.util.Objects.requireNonNull(null);  } }
