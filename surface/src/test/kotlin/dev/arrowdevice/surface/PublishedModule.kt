package dev.arrowdevice.surface

import org.jetbrains.kotlin.abi.tools.AbiFilters
import org.jetbrains.kotlin.abi.tools.AbiTools
import org.jetbrains.kotlin.abi.tools.AbiToolsFactory
import java.io.File
import java.lang.invoke.MethodType
import java.lang.module.ModuleDescriptor
import java.lang.reflect.Method
import java.lang.reflect.Modifier
import java.nio.file.Files
import java.nio.file.Path
import java.util.ServiceLoader
import kotlin.io.path.createDirectories
import kotlin.io.path.createTempDirectory
import kotlin.io.path.exists
import kotlin.io.path.inputStream
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.readText
import kotlin.io.path.writeText

/** The folder of the whole project. */
internal val root: Path =
    generateSequence(Path.of("").toAbsolutePath()) { it.parent }.first { Files.exists(it.resolve("docs")) }

internal val publishedModules: List<PublishedModule> =
    listOf(
        "core",
        "testkit",
        "coroutines",
        "adbc",
        "ipc",
        "cuda",
        "rocm",
        "oneapi",
        "bridges/python",
        "bridges/arrow-java",
        "bridges/serialization",
        "bridges/dataframe",
        "bridges/spark",
    ).map(::PublishedModule)

/** A module that users depend on. Its `.api` file holds what they may call, one line for each member. */
internal class PublishedModule(
    val name: String,
) {
    private val classes = root.resolve("$name/target/classes")

    val apiFile: Path = root.resolve("$name/api/${name.substringAfterLast('/')}.api")

    /** The public and protected members of the packages that the module exports to everybody, as they are now. */
    fun api(): String {
        val files =
            packages()
                .map { classes.resolve(it.replace('.', '/')) }
                .flatMap { it.listDirectoryEntries("*.class") }
                .map { it.toFile() }
                .sorted()
        val dump = StringBuilder().also { tools.printJvmDump(it, files, AbiFilters.EMPTY) }
        files.mapNotNull { inheritedFromHidden(classNameOf(it)) }.forEach { dump.append('\n').append(it) }
        return dump.toString()
    }

    /** Those that are exported. Spark's bridge has no descriptor, as the names of Spark's jars are none of modules. */
    private fun packages(): List<String> {
        val descriptor = classes.resolve("module-info.class")
        if (!descriptor.exists()) return listOf("dev.arrowdevice.${name.substringAfterLast('/')}")
        return descriptor
            .inputStream()
            .use(ModuleDescriptor::read)
            .exports()
            .filterNot { it.isQualified }
            .map { it.source() }
    }

    private fun classNameOf(file: File): String =
        classes.relativize(file.toPath()).joinToString(".").removeSuffix(".class")

    /**
     * What a public class has from superclasses that are not public, which the tool leaves out: its users may call it all
     * the same.
     */
    private fun inheritedFromHidden(className: String): String? {
        val type = Class.forName(className, false, javaClass.classLoader)
        if (!Modifier.isPublic(type.modifiers) || type.isSynthetic) return null
        val members =
            generateSequence(type.superclass) { it.superclass }
                .takeWhile { !Modifier.isPublic(it.modifiers) }
                .flatMap { it.declaredMethods.asSequence() }
                .filter { (Modifier.isPublic(it.modifiers) || Modifier.isProtected(it.modifiers)) && !it.isSynthetic }
                .map { "${Modifier.toString(it.modifiers)} fun ${it.name} ${descriptor(it)}" }
                .toSortedSet()
        if (members.isEmpty()) return null
        return members.joinToString("", "inherited by ${className.replace('.', '/')} {\n", "}\n") { "\t$it\n" }
    }

    private fun descriptor(method: Method): String =
        MethodType.methodType(method.returnType, method.parameterTypes).toMethodDescriptorString()

    fun writeApi(api: String) {
        apiFile.parent.createDirectories()
        apiFile.writeText(api)
    }

    /** How [api] differs from the file, for people to read; null if it does not. */
    fun changes(api: String): String? {
        val folder = createTempDirectory("api").toFile()
        try {
            val now = folder.resolve("now.api").apply { writeText(api) }
            val before =
                if (apiFile.exists()) {
                    apiFile.toFile()
                } else {
                    folder
                        .resolve(
                            "none.api",
                        ).apply { createNewFile() }
                }
            return tools.filesDiff(before, now)
        } finally {
            folder.deleteRecursively()
        }
    }

    private companion object {
        val tools: AbiTools = ServiceLoader.load(AbiToolsFactory::class.java).first().get()
    }
}

/** The names of the types in the text of an `.api` file, with their packages; the classes of Kotlin's files are none. */
internal fun typesOf(api: String): List<String> =
    Regex("^public .*?class (\\S+)", RegexOption.MULTILINE)
        .findAll(api)
        .map { it.groupValues[1] }
        .filterNot { it.endsWith("Kt") }
        .toList()

internal fun apiOf(module: String): String = PublishedModule(module).apiFile.readText()
