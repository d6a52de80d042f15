package dev.arrowdevice.core

import com.tngtech.archunit.base.DescribedPredicate.not
import com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage
import com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching
import com.tngtech.archunit.core.importer.ClassFileImporter
import com.tngtech.archunit.core.importer.ImportOption
import com.tngtech.archunit.lang.ArchRule
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes
import com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses
import io.kotest.core.spec.style.FunSpec
import io.kotest.inspectors.forAll
import io.kotest.matchers.collections.shouldNotBeEmpty
import io.kotest.matchers.string.shouldEndWith

/** The packages of core form a line; a package sees those of the steps before its own, and none beside it. */
private val line =
    listOf(
        listOf("abi"),
        listOf("type", "memory"),
        listOf("array", "driver"),
        listOf("build"),
        listOf("exchange"),
        listOf("dsl"),
    )

/** Android and Java before 22 have no `java.lang.foreign`: outside of abi and exchange only these may touch it. */
private const val FOREIGN_MEMORY = """dev\.arrowdevice\.memory\.(SegmentMemory|NativeMemory)(\$.*)?"""

private fun inPackage(name: String) = "dev.arrowdevice.$name.."

class ArchitectureTest :
    FunSpec({
        val main =
            ClassFileImporter().withImportOption(ImportOption.DoNotIncludeTests()).importPackages("dev.arrowdevice")
        val tests =
            ClassFileImporter().withImportOption(ImportOption.OnlyIncludeTests()).importPackages("dev.arrowdevice")

        // A package that has no classes yet breaks no rule.
        fun holds(rule: ArchRule) = rule.allowEmptyShould(true).check(main)

        line.forEachIndexed { step, packages ->
            packages.forEach { name ->
                test("package $name uses only packages to its left") {
                    val others = packages - name + line.drop(step + 1).flatten()
                    if (others.isNotEmpty()) {
                        holds(
                            noClasses()
                                .that()
                                .resideInAPackage(inPackage(name))
                                .should()
                                .dependOnClassesThat()
                                .resideInAnyPackage(*others.map(::inPackage).toTypedArray()),
                        )
                    }
                }
            }
        }

        test("every class has its place in the line") {
            holds(classes().should().resideInAnyPackage(*line.flatten().map(::inPackage).toTypedArray()))
        }

        test("Kotlin stays above Java: outside of dsl nothing is written in it or refers to it") {
            holds(
                noClasses()
                    .that(not(resideInAPackage(inPackage("dsl"))))
                    .should()
                    .dependOnClassesThat()
                    .resideInAnyPackage("kotlin..", inPackage("dsl")),
            )
        }

        test("java.lang.foreign is used by abi, exchange and the memory that is made of segments, and nowhere else") {
            holds(
                noClasses()
                    .that(not(resideInAPackage(inPackage("abi"))))
                    .and(not(resideInAPackage(inPackage("exchange"))))
                    .and(not(nameMatching(FOREIGN_MEMORY)))
                    .should()
                    .dependOnClassesThat()
                    .resideInAPackage("java.lang.foreign.."),
            )
        }

        test("every spec has a name that the test run looks for") {
            val specs = tests.filter { it.isAssignableTo("io.kotest.core.spec.Spec") && !it.isInterface }
            specs.shouldNotBeEmpty()
            specs.forAll { it.simpleName shouldEndWith "Test" }
        }
    })
