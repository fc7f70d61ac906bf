package io.dmodc.ctl.client;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What a manager answered.
 *
 * @param text as it wrote it, or pages put together
 * @param json the same as a tree
 */
record Answer(String text, JsonNode json) {}
