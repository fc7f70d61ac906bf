package io.dmodc.ctl;

/** How an answer is printed. */
enum Format {
    TEXT,
    JSON
}
