package dev.arrowdevice.surface

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import kotlin.io.path.relativeTo

private const val COMMAND = "mvn test -pl surface -am -Dtest=ApiTest -Dapi.write=true"

/** What users may call changes only where somebody meant it to, and the change is seen in a review. */
class ApiTest :
    FunSpec({
        for (module in publishedModules) {
            test("the public members of ${module.name} are those of ${module.apiFile.relativeTo(root)}") {
                val api = module.api()
                if (System.getProperty("api.write") == "true") module.writeApi(api)
                val changes = module.changes(api)
                withClue("If this change is meant, write it down with\n\n    $COMMAND\n\n${changes.orEmpty()}") {
                    (changes == null) shouldBe true
                }
            }
        }
    })
