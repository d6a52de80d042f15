package dev.arrowdevice.samples

import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldNotBeEmpty
import java.lang.module.ModuleDescriptor
import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.extension
import kotlin.io.path.name
import kotlin.io.path.readBytes
import kotlin.io.path.walk

class ModuleTest :
    FunSpec({
        test("the module has its documented name") {
            val modules =
                ClassLoader
                    .getSystemResources("module-info.class")
                    .asSequence()
                    .map { url -> url.openStream().use(ModuleDescriptor::read).name() }
                    .toList()
            modules shouldContain "dev.arrowdevice.samples"
        }

        listOf(
            "coroutines",
            "adbc",
            "ipc",
            "cuda",
            "rocm",
            "oneapi",
            "bridges/python",
            "bridges/serialization",
            "bridges/spark",
            "samples",
            "benchmarks",
        ).forEach { module ->
            test("neither $module nor its tests use packages that the core does not export") {
                referringToTheInside(module, "classes", "test-classes").shouldBeEmpty()
            }
        }

        test("the testkit does not use packages that the core does not export; the tests of the peers may") {
            referringToTheInside("testkit", "classes", "test-classes").shouldBeEmpty()
            referringToTheInside("peers", "test-classes").shouldNotBeEmpty()
        }
    })

/** The class files of a module that mention a package inside of the core; none where the module has not been built. */
private fun referringToTheInside(
    module: String,
    vararg folders: String,
): List<String> =
    folders
        .map { Path.of("..", module, "target", it) }
        .filter { it.exists() }
        .flatMap { folder -> folder.walk().filter { it.extension == "class" } }
        .filter { file -> inside.any { it in file.readBytes().toString(Charsets.ISO_8859_1) } }
        .map { it.name }

private val inside = listOf("/", ".").map { listOf("dev", "arrowdevice", "internal", "").joinToString(it) }
