package io.dmodc.house.sample.low;

import io.dmodc.house.sample.high.Upstairs;

/** Breaks the rules: a low package that knows a high one. */
public record Downstairs(Upstairs stranger) {}
