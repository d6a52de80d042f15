package dev.arrowdevice.peers

import dev.arrowdevice.internal.abi.CStructLayouts
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldHaveSize
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import java.lang.foreign.MemoryLayout.PathElement
import java.lang.foreign.PaddingLayout
import java.lang.foreign.StructLayout

/** The structs as the SDK lays them out, against the C compiler's opinion of the canonical definitions. */
class AbiLayoutTest :
    FunSpec({
        extension(PeerBalance)

        val structs =
            listOf(
                CStructLayouts.SCHEMA,
                CStructLayouts.ARRAY,
                CStructLayouts.DEVICE_ARRAY,
                CStructLayouts.ARRAY_STREAM,
                CStructLayouts.DEVICE_ARRAY_STREAM,
                CStructLayouts.ASYNC_TASK,
                CStructLayouts.ASYNC_PRODUCER,
                CStructLayouts.ASYNC_DEVICE_STREAM_HANDLER,
            )

        fun lines(struct: StructLayout): List<String> {
            val name = struct.name().get()
            val members = struct.memberLayouts().filter { it !is PaddingLayout }.map { it.name().get() }
            return listOf("$name ${struct.byteSize()}") +
                members.map { "$name.$it ${struct.byteOffset(PathElement.groupElement(it))}" }
        }

        test("sizes and offsets of all members are those of the C compiler") {
            structs shouldHaveSize 8
            structs.flatMap(::lines).joinToString("\n", postfix = "\n") shouldBe CPeer.load().abiLayout()
        }

        test("the async producer has no release member, although the documentation has one") {
            CPeer.load().abiLayout() shouldContain "ArrowAsyncProducer 40\n"
        }

        test("the structs that the tests corrupt have the expected sizes") {
            ArrayStruct.SIZE.toLong() shouldBe CStructLayouts.ARRAY.byteSize()
            SchemaStruct.SIZE.toLong() shouldBe CStructLayouts.SCHEMA.byteSize()
        }
    })
