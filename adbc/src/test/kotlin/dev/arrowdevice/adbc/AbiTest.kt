package dev.arrowdevice.adbc

import dev.arrowdevice.adbc.internal.abi.DriverFunctions
import dev.arrowdevice.spi.NativeAllocation
import io.kotest.core.spec.style.FunSpec
import io.kotest.matchers.collections.shouldContainExactlyInAnyOrder
import io.kotest.matchers.shouldBe
import java.lang.invoke.MethodHandles

/** The layouts beside what a C compiler makes of `adbc.h`. */
class AbiTest :
    FunSpec({
        val struct = Class.forName("dev.arrowdevice.adbc.internal.abi.DriverStruct")
        val lookup = MethodHandles.privateLookupIn(struct, MethodHandles.lookup())

        fun <R> withText(
            text: String,
            use: (Long) -> R,
        ): R = NativeAllocation.ofString(text).use { use(it.address) }

        @Suppress("UNCHECKED_CAST")
        val members = lookup.findStaticVarHandle(struct, "MEMBERS", List::class.java).get() as List<String>

        fun offset(member: String): Long =
            struct
                .getDeclaredMethod("offset", String::class.java)
                .apply { isAccessible = true }
                .invoke(null, member) as Long

        for (member in members) {
            test("$member of AdbcDriver is where the compiler puts it") {
                offset(member) shouldBe withText(member, PeerDriver.api::peer_offset_of)
            }
        }

        test("each member has a function of its name") {
            DriverFunctions::class.java.methods.map { it.name } shouldContainExactlyInAnyOrder members
        }

        for ((name, size) in mapOf(
            "AdbcDriver" to 464L,
            "AdbcError" to 48L,
            "AdbcErrorDetail" to 24L,
            "AdbcPartitions" to 40L,
            "AdbcStatement" to 16L,
        )) {
            test("$name has $size bytes") { withText(name, PeerDriver.api::peer_size_of) shouldBe size }
        }
    })
