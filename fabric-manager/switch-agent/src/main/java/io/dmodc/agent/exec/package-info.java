/**
 * A forwarding plane that is a program of the site: a child process that takes tables and tells of ports, a JSON object a line.
 *
 * <p>Entry points: {@link io.dmodc.agent.exec.ExecPlane} (keeps the program running and asks it),
 * {@link io.dmodc.agent.exec.ProgramLines} (what is said, both ways; docs/exec-plane.md explains it). May depend on
 * {@link io.dmodc.agent.plane}, the protocol's constants and Jackson; knows no session and no manager.
 */
@NullMarked
package io.dmodc.agent.exec;

import org.jspecify.annotations.NullMarked;
