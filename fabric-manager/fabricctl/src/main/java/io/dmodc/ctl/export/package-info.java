/**
 * A fabric in the forms other tools read: Slurm, Graphviz, GraphML, tables.
 *
 * <p>Entry points: {@link io.dmodc.ctl.export.ExportedFabric} goes in; {@link io.dmodc.ctl.export.SlurmTopology},
 * {@link io.dmodc.ctl.export.DotWriter}, {@link io.dmodc.ctl.export.GraphmlWriter} and
 * {@link io.dmodc.ctl.export.CsvWriter} turn it into text. Names of switches and hosts are anybody's: each writer makes
 * every name safe in its format. Depends on topology only; must not know files, the command line or a manager.
 */
@NullMarked
package io.dmodc.ctl.export;

import org.jspecify.annotations.NullMarked;
