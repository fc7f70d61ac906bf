/**
 * The rules of the house, checked on the compiled classes of every module.
 *
 * <p>Entry points: {@link io.dmodc.house.HouseRules} makes the rules, {@link io.dmodc.house.HouseRulesTest} applies them. May
 * depend on ArchUnit only; must not know any package by its classes, only by its package name.
 */
@NullMarked
package io.dmodc.house;

import org.jspecify.annotations.NullMarked;
