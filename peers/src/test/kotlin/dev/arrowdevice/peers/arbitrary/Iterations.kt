package dev.arrowdevice.peers.arbitrary

/** How often a property is tried: so often, or as the system property `arrowdevice.iterations.<name>` says. */
fun iterations(
    name: String,
    default: Int,
): Int = Integer.getInteger("arrowdevice.iterations.$name", default)
