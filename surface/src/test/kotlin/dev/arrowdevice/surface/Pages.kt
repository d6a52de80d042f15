package dev.arrowdevice.surface

import java.nio.file.Path
import kotlin.io.path.extension
import kotlin.io.path.listDirectoryEntries

/** The pages for users. */
internal fun pages(): List<Path> =
    listOf(root.resolve("README.md"), root.resolve("samples/README.md")) +
        root
            .resolve("docs")
            .listDirectoryEntries()
            .filter { it.extension == "md" }
            .sorted()
