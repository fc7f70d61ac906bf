package io.dmodc.topology;

/** In which order a switch counts the port groups that lead one rank up, or one rank down. */
public enum GroupOrder {
    /** By the GUID of the remote switch (Gliksberg et al., G_s in Table I). */
    GUID,

    /**
     * By the number of the remote switch's plane, then by its GUID; as {@link #GUID} in views without plane numbers
     * ({@link PlaneNumbers}).
     */
    PLANE
}
