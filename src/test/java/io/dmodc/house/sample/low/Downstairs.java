package io.dmodc.house.sample.low;

import io.dmodc.house.sample.high.Upstairs;

/** Breaks the doors: a low room that knows a high one. */
public record Downstairs(Upstairs stranger) {}
