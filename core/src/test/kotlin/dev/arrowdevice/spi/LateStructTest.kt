package dev.arrowdevice.spi

import dev.arrowdevice.ArrowType
import dev.arrowdevice.Device
import dev.arrowdevice.Field
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.types.shouldBeSameInstanceAs
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CyclicBarrier

class LateStructTest :
    FunSpec({
        test("two threads that ask for a field at once get the same one, which remembers its null count") {
            val type = ArrowType.struct(listOf(Field.nullable("n", ArrowType.NULL)))
            // Both are in the function that makes the field: whoever comes second must take what the first one made.
            val making = CyclicBarrier(2)
            val struct =
                ArrayData.ofStruct(type, Device.CPU, 1, 0, 0, arrayOf(null), arrayOfNulls(1)) {
                    making.await()
                    ArrayData(ArrowType.NULL, Device.CPU, 1, 0, 1, arrayOf(), arrayOf(), null)
                }
            val others = CompletableFuture.supplyAsync { struct.child(0) }
            val mine = struct.child(0)
            others.get() shouldBeSameInstanceAs mine
            struct.child(0) shouldBeSameInstanceAs mine
        }
    })
