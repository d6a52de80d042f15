import org.w3c.dom.Element
import java.io.File
import java.nio.file.Path
import java.util.zip.ZipFile
import javax.xml.parsers.DocumentBuilderFactory
import kotlin.io.path.Path
import kotlin.io.path.extension
import kotlin.io.path.isRegularFile
import kotlin.io.path.listDirectoryEntries
import kotlin.io.path.name
import kotlin.io.path.readText
import kotlin.io.path.walk

internal val staged: Path = Path(System.getProperty("staged"))
internal val root: Path = Path(System.getProperty("root"))
internal val version: String = System.getProperty("version")

/** The folder of one artifact in the staged repository. */
internal class StagedArtifact(
    val name: String,
) {
    val folder: Path = staged.resolve("dev/arrowdevice/$name/$version")
    val pom: Element = parse(file(".pom"))
    val isBom: Boolean get() = name == "arrow-device-bom"

    /** The folder of its module in the sources. */
    val module: Path = modules.getValue(name)

    fun file(ending: String): Path = folder.resolve("$name-$version$ending")

    /** What is in one of its jars. */
    fun entries(ending: String): List<String> =
        ZipFile(file(ending).toFile()).use { zip -> zip.entries().toList().map { it.name } }

    fun text(
        ending: String,
        entry: String,
    ): String = String(bytes(ending, entry))

    fun bytes(
        ending: String,
        entry: String,
    ): ByteArray =
        ZipFile(file(ending).toFile()).use { zip ->
            zip.getInputStream(requireNotNull(zip.getEntry(entry)) { "no $entry in $name$ending" }).readBytes()
        }

    override fun toString(): String = name
}

/** The published modules by artifact, as their POMs in the sources say. */
internal val modules: Map<String, Path> by lazy {
    root
        .walk()
        .filter { it.name == "pom.xml" }
        .filter { pom -> root.relativize(pom).none { it.name == "target" || it.name == "consumers" } }
        .filter { "<maven.deploy.skip>false<" in it.readText() }
        .associate { parse(it).value("artifactId") to it.parent }
}

internal val artifacts: List<StagedArtifact> by lazy { modules.keys.sorted().map(::StagedArtifact) }

internal fun filesOf(folder: Path): List<Path> = folder.listDirectoryEntries().filter { it.isRegularFile() }

internal fun Path.isChecksum(): Boolean = extension in setOf("md5", "sha1", "asc")

internal fun parse(file: Path): Element = parse(file.toFile())

private fun parse(file: File): Element =
    DocumentBuilderFactory
        .newInstance()
        .newDocumentBuilder()
        .parse(file)
        .documentElement

internal fun Element.elements(path: String): List<Element> =
    path.split('/').fold(listOf(this)) { found, name ->
        found.flatMap { parent ->
            (0 until parent.childNodes.length).map(parent.childNodes::item).filterIsInstance<Element>().filter { it.tagName == name }
        }
    }

/** The text of the one element at this path; empty if there is none. */
internal fun Element.value(path: String): String =
    elements(path)
        .singleOrNull()
        ?.textContent
        ?.trim()
        .orEmpty()
