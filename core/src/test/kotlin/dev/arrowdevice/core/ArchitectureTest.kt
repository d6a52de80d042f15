package dev.arrowdevice.core

import com.tngtech.archunit.base.DescribedPredicate
import com.tngtech.archunit.base.DescribedPredicate.describe
import com.tngtech.archunit.base.DescribedPredicate.not
import com.tngtech.archunit.core.domain.JavaCall.Predicates.target
import com.tngtech.archunit.core.domain.JavaClass
import com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage
import com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage
import com.tngtech.archunit.core.domain.properties.CanBeAnnotated.Predicates.annotatedWith
import com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching
import com.tngtech.archunit.core.importer.ClassFileImporter
import com.tngtech.archunit.core.importer.ImportOption
import com.tngtech.archunit.lang.ArchRule
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses
import io.kotest.core.spec.style.FunSpec
import io.kotest.inspectors.forAll
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.string.shouldEndWith
import java.lang.module.ModuleDescriptor

/** What users touch, and what [SPI] offers to who writes a device runtime or builds arrays from memory. */
private val exported = listOf("", "builder", "interop", "spi")

/** The rooms inside form a line; a room sees those of the steps before its own, and none beside it. */
private val rooms =
    listOf(
        listOf("diagnostics"),
        listOf("binding"),
        listOf("abi"),
        listOf("type", "memory"),
        listOf("owners"),
        listOf("reading"),
        listOf("copying", "printing", "columns", "operations"),
        listOf("validation"),
        listOf("exchange"),
        listOf("streams"),
        listOf("async"),
        listOf("notebooks"),
    )

/** Android and Java before 22 have no `java.lang.foreign`: outside of the rooms of functions and C structs only these may touch it. */
private const val FOREIGN_MEMORY = """dev\.arrowdevice\.(internal\.memory\.SegmentMemory|MemorySegments)(\$.*)?"""

/** For users of Java 22 and newer. */
private const val SEGMENTS = """dev\.arrowdevice\.MemorySegments(\$.*)?"""

/** The opt-in markers, which members written in Java carry too. */
private const val MARKER = """dev\.arrowdevice\.(Experimental|Delicate|Internal)ArrowApi"""

/** What marks them; the class files have it, the running JVM does not. */
private const val NOT_ON_ANDROID = "dev.arrowdevice.internal.diagnostics.NotOnAndroid"

private fun room(name: String) = "dev.arrowdevice.internal.$name"

private fun packageOf(name: String) = if (name.isEmpty()) "dev.arrowdevice" else "dev.arrowdevice.$name"

class ArchitectureTest :
    FunSpec({
        val main =
            ClassFileImporter().withImportOption(ImportOption.DoNotIncludeTests()).importPackages("dev.arrowdevice")
        val tests =
            ClassFileImporter().withImportOption(ImportOption.OnlyIncludeTests()).importPackages("dev.arrowdevice")

        fun holds(rule: ArchRule) = rule.check(main)

        rooms.forEachIndexed { step, names ->
            names.forEach { name ->
                test("room $name uses only rooms to its left") {
                    val others = names - name + rooms.drop(step + 1).flatten()
                    if (others.isNotEmpty()) {
                        holds(
                            noClasses()
                                .that()
                                .resideInAPackage(room(name))
                                .should()
                                .dependOnClassesThat()
                                .resideInAnyPackage(*others.map(::room).toTypedArray()),
                        )
                    }
                }
            }
        }

        listOf("diagnostics", "binding", "abi").forEach { name ->
            test("room $name knows nothing but Java and the rooms to its left") {
                val own = rooms.takeWhile { name !in it }.flatten() + name
                holds(
                    noClasses()
                        .that()
                        .resideInAPackage(room(name))
                        .should()
                        .dependOnClassesThat(
                            resideInAPackage("dev.arrowdevice..")
                                .and(not(resideInAnyPackage(*own.map(::room).toTypedArray()))),
                        ),
                )
            }
        }

        test("neither a room nor spi uses builders or array interfaces") {
            holds(
                noClasses()
                    .that()
                    .resideInAnyPackage("dev.arrowdevice.internal..", "dev.arrowdevice.spi")
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage("dev.arrowdevice.builder", "dev.arrowdevice.interop"),
            )
        }

        test("every class lives in a package that is exported or in a room") {
            val known = exported.map(::packageOf) + rooms.flatten().map(::room)
            holds(classes().should().resideInAnyPackage(*known.toTypedArray()))
        }

        test("the module exports just the packages of users and of spi, to everybody") {
            moduleOfCore().exports().map { it.toString() } shouldContainExactlyInAnyOrder exported.map(::packageOf)
        }

        test("Kotlin stays above Java: no Java class refers to one that is written in Kotlin, but for our markers") {
            val kotlin: DescribedPredicate<JavaClass> = annotatedWith(Metadata::class.java).forSubtype()
            val refused = kotlin.and(not(nameMatching(MARKER))).or(resideInAPackage("kotlin.."))
            holds(
                noClasses()
                    .that(not(kotlin))
                    .and(not(insideOf(kotlin)))
                    .should()
                    .dependOnClassesThat(refused),
            )
        }

        test(
            "java.lang.foreign is used by the rooms of functions and C structs, memory made of segments, and what gives segments to users",
        ) {
            holds(
                noClasses()
                    .that(not(resideInAnyPackage(room("binding"), room("abi"))))
                    .and(not(nameMatching(FOREIGN_MEMORY)))
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("java.lang.foreign.."),
            )
        }

        test(
            "the room of C structs links functions in LinkedFunctions only, which keeps their types for native-image",
        ) {
            holds(
                noClasses()
                    .that()
                    .resideInAPackage(room("abi"))
                    .and(not(nameMatching(""".*\.LinkedFunctions""")))
                    .should()
                    .callMethodWhere(target(nameMatching("downcallHandle|upcallStub|addressOf"))),
            )
        }

        test("System.Logger and Flight Recorder are used by classes that are not loaded on Android, and by no others") {
            val missing =
                resideInAPackage(
                    "jdk.jfr..",
                ).or(nameMatching("""java\.lang\.System\${'$'}Logger(\${'$'}.*)?"""))
            val marked = annotatedWith(NOT_ON_ANDROID).forSubtype<JavaClass>()
            holds(
                noClasses()
                    .that(not(marked))
                    .and(not(insideOf(marked)))
                    .should()
                    .dependOnClassesThat(missing),
            )
        }

        test("nothing is printed by hand but where there is no logger") {
            holds(
                noClasses()
                    .that(not(nameMatching("""dev\.arrowdevice\.internal\.diagnostics\.Log""")))
                    .should()
                    .accessField(System::class.java, "err"),
            )
        }

        test("no class refers to the one that gives segments: it must not be loaded by accident") {
            holds(
                noClasses()
                    .that(not(nameMatching(SEGMENTS)))
                    .should()
                    .dependOnClassesThat(nameMatching(SEGMENTS)),
            )
        }

        test("every spec has a name that the test run looks for") {
            val specs = tests.filter { it.isAssignableTo("io.kotest.core.spec.Spec") && !it.isInterface }
            specs.shouldNotBeEmpty()
            specs.forAll { it.simpleName shouldEndWith "Test" }
        }
    })

/** Also of classes that the Kotlin compiler made within one, which have the annotation too or none. */
private fun insideOf(outer: DescribedPredicate<JavaClass>): DescribedPredicate<JavaClass> =
    describe("inside of a class that is ${outer.description}") { inner ->
        generateSequence(inner.enclosingClass.orElse(null)) { it.enclosingClass.orElse(null) }.any(outer::test)
    }

private fun moduleOfCore(): ModuleDescriptor =
    ClassLoader
        .getSystemResources("module-info.class")
        .asSequence()
        .map { url -> url.openStream().use(ModuleDescriptor::read) }
        .single { it.name() == "dev.arrowdevice.core" }
