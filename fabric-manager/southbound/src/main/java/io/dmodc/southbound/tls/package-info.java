/** Who may speak at the agents' door: TLS 1.3 both ways, with the GUID of a switch in its agent's certificate. */
@NullMarked
package io.dmodc.southbound.tls;

import org.jspecify.annotations.NullMarked;
