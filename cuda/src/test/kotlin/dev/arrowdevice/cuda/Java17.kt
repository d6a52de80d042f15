package dev.arrowdevice.cuda

import java.io.File

/** The command of a JDK 17, or null where the build found none and passes an empty property. */
internal val java17: File? =
    System
        .getProperty("jdk17.home")
        .orEmpty()
        .ifEmpty { null }
        ?.let { File(it, "bin/java") }
