package dev.arrowdevice.peers

import dev.arrowdevice.ArrowExport
import dev.arrowdevice.ArrowImport
import dev.arrowdevice.CArrayStreamStruct
import dev.arrowdevice.CArrayStruct
import dev.arrowdevice.CSchemaStruct
import dev.arrowdevice.DeviceArray
import dev.arrowdevice.add
import dev.arrowdevice.deviceArray
import dev.arrowdevice.exportTo
import dev.arrowdevice.recordBatch
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.shouldBe
import java.lang.reflect.InvocationTargetException
import java.lang.reflect.Method

/** What Java passes, where Kotlin's compiler does not allow it. */
class NullStructsTest :
    FunSpec({
        extension(PeerBalance)

        fun parameterOf(
            method: Method,
            vararg arguments: Any?,
        ): String? {
            val thrown = shouldThrow<InvocationTargetException> { method.invoke(null, *arguments) }
            return (thrown.cause as NullPointerException).message
        }

        test("an export to null names the parameter, and the owner stays live") {
            val export =
                ArrowExport::class.java.getMethod(
                    "exportArray",
                    DeviceArray::class.java,
                    CArrayStruct::class.java,
                )
            deviceArray<Int> { add(1) }.use { array ->
                parameterOf(export, array, null) shouldBe "target"
                array.isLive shouldBe true
            }
        }

        test("an import from null names the parameter, and leaves the other struct alone") {
            val import =
                ArrowImport::class.java.getMethod("importBatch", CArrayStruct::class.java, CSchemaStruct::class.java)
            parameterOf(import, null, null) shouldBe "array"
            recordBatch { column<Int>("a") { add(1) } }.use { batch ->
                batch.exportTo { array, _ ->
                    parameterOf(import, array, null) shouldBe "schema"
                    array.isLive shouldBe true
                }
            }
            val stream = ArrowImport::class.java.getMethod("importStream", CArrayStreamStruct::class.java)
            parameterOf(stream, null) shouldBe "stream"
        }
    })
