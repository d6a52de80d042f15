package dev.arrowdevice.coroutines

import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.nio.file.Files

class FlowsDocTest :
    FunSpec({
        test(
            "the table of docs/flows.md is that of FlowOperatorsTest, and its examples are those of FlowExamplesTest",
        ) {
            val page = Files.readString(FlowsDoc.file)
            val updated = FlowsDoc.updated(page)
            FlowsDoc.exampleNamesIn(updated) shouldBe FlowsDoc.exampleNames()
            if (System.getProperty("flows.write") == "true") Files.writeString(FlowsDoc.file, updated)
            withClue(
                "mvn test -pl core,testkit,bridges/arrow-java,peers,coroutines -Dtest=FlowsDocTest " +
                    "-Dflows.write=true brings it up to date",
            ) {
                Files.readString(FlowsDoc.file) shouldBe updated
            }
        }
    })
