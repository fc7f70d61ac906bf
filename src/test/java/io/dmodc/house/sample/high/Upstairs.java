package io.dmodc.house.sample.high;

import io.dmodc.house.sample.low.Pure;

/** Knows the low package, which is its right. */
public record Upstairs(Pure known) {}
