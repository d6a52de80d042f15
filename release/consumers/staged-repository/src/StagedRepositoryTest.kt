import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldBeEmpty
import io.kotest.matchers.collections.shouldContain
import io.kotest.matchers.collections.shouldContainAll
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.ints.shouldBeLessThanOrEqual
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotBeEmpty
import io.kotest.matchers.string.shouldNotContain
import io.kotest.matchers.string.shouldStartWith
import java.nio.file.Path
import java.security.MessageDigest
import kotlin.io.path.exists
import kotlin.io.path.name
import kotlin.io.path.readBytes
import kotlin.io.path.readText
import kotlin.io.path.walk

private const val JAVA_17 = 61
private const val BYTES_BEFORE_MAJOR_VERSION = 7

/** What release/stage has staged is what Maven Central asks for, and what the README promises. */
class StagedRepositoryTest :
    FunSpec({
        val jars = artifacts.filterNot { it.isBom }

        test("all published modules are staged, and nothing else") {
            artifacts.map { it.name } shouldContain "arrow-device-core"
            val found = staged.walk().filter { it.name.endsWith(".pom") }.map { it.name.removeSuffix("-$version.pom") }
            found.toList() shouldContainExactlyInAnyOrder artifacts.map { it.name }
        }

        test("the version is that of a release") {
            version shouldNotContain "SNAPSHOT"
            staged.walk().filter { "SNAPSHOT" in it.name }.toList().shouldBeEmpty()
        }

        for (artifact in artifacts) {
            test("each file of $artifact has its checksums") {
                filesOf(artifact.folder).filterNot { it.isChecksum() }.shouldNotBeEmpty()
                for (file in filesOf(artifact.folder).filterNot { it.isChecksum() }) {
                    file.sibling("md5").readText() shouldBe file.digest("MD5")
                    file.sibling("sha1").readText() shouldBe file.digest("SHA-1")
                }
            }

            test("where one file is signed, each file of $artifact is") {
                val signed = staged.walk().any { it.name.endsWith(".asc") }
                filesOf(artifact.folder).filterNot { it.isChecksum() }.forEach { it.sibling("asc").exists() shouldBe signed }
            }

            test("the POM of $artifact says all that Maven Central asks for, and refers to nothing that is not published") {
                val pom = artifact.pom
                for (path in listOf("name", "description", "url", "licenses/license/name", "licenses/license/url")) {
                    withClue(path) { pom.value(path).shouldNotBeEmpty() }
                }
                for (path in listOf("developers/developer/name", "scm/connection", "scm/developerConnection", "scm/url")) {
                    withClue(path) { pom.value(path).shouldNotBeEmpty() }
                }
                pom.value("groupId") shouldBe "dev.arrowdevice"
                pom.value("version") shouldBe version
                for (path in listOf("parent", "build", "repositories", "pluginRepositories", "profiles", "modules")) {
                    withClue(path) { pom.elements(path).shouldBeEmpty() }
                }
                val text = artifact.file(".pom").readText()
                text shouldNotContain "SNAPSHOT"
                text shouldNotContain "\${"
            }

            test("the dependencies of $artifact are those of its users, each of one version") {
                for (dependency in artifact.pom.elements("dependencies/dependency")) {
                    withClue(dependency.value("artifactId")) {
                        dependency.value("version").shouldNotBeEmpty()
                        listOf("", "compile", "runtime") shouldContain dependency.value("scope")
                        when (dependency.value("groupId")) {
                            "dev.arrowdevice" -> dependency.value("version") shouldBe version
                            "org.jetbrains.kotlin" -> dependency.value("version") shouldStartWith "2.2."
                        }
                    }
                }
            }

            test("the SBOM of $artifact names what it depends on") {
                val sbom = artifact.file("-cyclonedx.json").readText()
                sbom shouldContain "\"CycloneDX\""
                artifact.pom.elements("dependencies/dependency").forEach { sbom shouldContain "/${it.value("artifactId")}@" }
            }
        }

        for (artifact in jars) {
            test("the jar of $artifact has a module, the licence, and classes of Java 17") {
                val entries = artifact.entries(".jar")
                entries shouldContainAll listOf("module-info.class", "META-INF/LICENSE", "META-INF/NOTICE")
                entries
                    .filter { it.endsWith(".class") }
                    .forEach { artifact.bytes(".jar", it)[BYTES_BEFORE_MAJOR_VERSION].toInt() shouldBeLessThanOrEqual JAVA_17 }
            }

            test("the sources of $artifact are those of its classes") {
                val sources = artifact.entries("-sources.jar")
                val classes = artifact.entries(".jar").filter { it.endsWith(".class") && '$' !in it && !it.endsWith("Kt.class") }
                val without =
                    classes.map { it.removeSuffix(".class") }.filter { "$it.java" !in sources && "$it.kt" !in sources }
                // A Kotlin file may hold several classes, under any name.
                without.filter { name -> sources.none { it.startsWith(name.substringBeforeLast('/')) && it.endsWith(".kt") } }.shouldBeEmpty()
            }

            test("$artifact has documentation of its exported packages alone") {
                documented(artifact, "-javadoc.jar")
                if (artifact.module.resolve("src/main/kotlin").exists()) documented(artifact, "-kdoc.jar")
            }
        }

        test("the BOM names all modules, with the version") {
            val managed = artifacts.single { it.isBom }.pom.elements("dependencyManagement/dependencies/dependency")
            managed.map { it.value("artifactId") } shouldContainExactlyInAnyOrder jars.map { it.name }
            managed.map { it.value("version") }.distinct() shouldBe listOf(version)
        }

        // There is no Gradle of today to run it: what it names is what the Maven snippet names, which a project resolves.
        test("the README's lines for Gradle name what its lines for Maven name") {
            val use = root.resolve("README.md").readText().substringAfter("## Use it").substringBefore("\n## ")
            val gradle = Regex("\"dev\\.arrowdevice:([\\w-]+)").findAll(use).map { it.groupValues[1] }.toList()
            val maven = Regex("<artifactId>(arrow-device-[\\w-]+)<").findAll(use).map { it.groupValues[1] }.toList()
            maven.shouldNotBeEmpty()
            gradle shouldBe maven
            artifacts.map { it.name } shouldContainAll maven
            Regex("platform\\(\"[\\w.:-]+:(.+)\"\\)").find(use)!!.groupValues[1] shouldBe
                Regex("<version>(.+)</version>").find(use)!!.groupValues[1]
        }
    })

private fun documented(
    artifact: StagedArtifact,
    ending: String,
) {
    val pages = artifact.entries(ending)
    pages shouldContain "index.html"
    withClue(ending) {
        pages.filter { it.endsWith(".html") && Regex("arrowdevice[./](\\w+[./])?internal").containsMatchIn(it) }.shouldBeEmpty()
        pages.filter { it.endsWith(".html") && Regex("dev[./]arrowdevice").containsMatchIn(it) }.shouldNotBeEmpty()
    }
}

private fun Path.sibling(ending: String): Path = resolveSibling("$name.$ending")

private fun Path.digest(algorithm: String): String =
    MessageDigest.getInstance(algorithm).digest(readBytes()).joinToString("") { "%02x".format(it) }
