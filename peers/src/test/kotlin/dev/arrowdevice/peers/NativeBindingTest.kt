package dev.arrowdevice.peers

import dev.arrowdevice.spi.NativeAllocation
import dev.arrowdevice.spi.NativeCallback
import dev.arrowdevice.spi.NativeFunctions
import dev.arrowdevice.spi.NativeLibrary
import dev.arrowdevice.spi.NativeLibraryException
import dev.arrowdevice.spi.NativeMemory
import dev.arrowdevice.testkit.CCompiler
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.core.spec.style.FunSpec
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.nulls.shouldBeNull
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith
import java.lang.invoke.MethodHandles
import java.nio.file.Path
import java.util.concurrent.CopyOnWriteArrayList
import kotlin.concurrent.thread
import kotlin.io.path.absolutePathString
import kotlin.io.path.writeText

private const val SOURCE = """
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#define EXPORT __attribute__((visibility("default")))

EXPORT int64_t sum_of_all(int64_t a, int32_t b, int16_t c, int8_t d, bool e, float f, double g) {
  return a + b + c + d + (e ? 1 : 0) + (int64_t)f + (int64_t)g;
}
EXPORT int32_t negated(int32_t a) { return -a; }
EXPORT int16_t narrowed(int64_t a) { return (int16_t)a; }
EXPORT int8_t narrowest(int64_t a) { return (int8_t)a; }
EXPORT bool is_odd(int32_t a) { return a % 2 != 0; }
EXPORT float half(float a) { return a / 2; }
EXPORT double third(double a) { return a / 3; }
EXPORT void store(int64_t *out, int64_t value) { *out = value; }
EXPORT int64_t nine(int64_t a, int64_t b, int64_t c, int64_t d, int64_t e, int64_t f, int32_t g, int32_t h, int64_t i) {
  return a + b * 2 + c * 3 + d * 4 + e * 5 + f * 6 + g * 7 + h * 8 + i * 9;
}

/* A driver's table, as databases have them. */
struct table {
  int64_t (*size)(const char *text);
  int32_t (*status)(void *state, int32_t code);
  void (*absent)(void);
};
static int64_t size(const char *text) { int64_t n = 0; while (text[n]) n++; return n; }
static int32_t status(void *state, int32_t code) { *(int32_t *)state = code; return code + 1; }
EXPORT void fill(struct table *table) { table->size = size; table->status = status; table->absent = NULL; }

EXPORT int64_t call_back(int64_t (*function)(int32_t, int64_t, bool), int32_t a, int64_t b) { return function(a, b, true); }
"""

private interface Sums {
    @Suppress("FunctionName")
    fun sum_of_all(
        a: Long,
        b: Int,
        c: Short,
        d: Byte,
        e: Boolean,
        f: Float,
        g: Double,
    ): Long

    fun negated(a: Int): Int

    fun narrowed(a: Long): Short

    fun narrowest(a: Long): Byte

    @Suppress("FunctionName")
    fun is_odd(a: Int): Boolean

    fun half(a: Float): Float

    fun third(a: Double): Double

    fun store(
        out: Long,
        value: Long,
    )

    fun nine(
        a: Long,
        b: Long,
        c: Long,
        d: Long,
        e: Long,
        f: Long,
        g: Int,
        h: Int,
        i: Long,
    ): Long

    @Suppress("FunctionName")
    fun call_back(
        function: Long,
        a: Int,
        b: Long,
    ): Long

    fun twice(a: Int): Int = negated(negated(a)) * 2
}

private interface SumsOfOldAndNew {
    fun negated(a: Int): Int

    fun vanished(): Int

    @NativeFunctions.Optional
    fun added(
        a: Long,
        b: Int,
    ): Long
}

private interface Filler {
    fun fill(table: Long)
}

private interface Table {
    fun size(text: Long): Long

    fun status(
        state: Long,
        code: Int,
    ): Int

    fun absent()
}

private interface Kinds {
    fun size(
        function: Long,
        text: Long,
    ): Long

    fun status(
        function: Long,
        state: Long,
        code: Int,
    ): Int
}

private interface Overloaded {
    fun negated(a: Int): Int

    fun negated(a: Long): Int
}

private interface WithText {
    fun size(text: String): Long
}

private interface WithoutAddress {
    fun negated(a: Int): Int
}

private object Called {
    @JvmStatic
    private fun add(
        a: Int,
        b: Long,
        c: Boolean,
    ): Long = if (b < 0) throw IllegalStateException("thrown on purpose") else a + b + if (c) 1 else 0

    fun address() =
        NativeCallback.of(
            MethodHandles.lookup(),
            "add",
            Long::class.java,
            Int::class.java,
            Long::class.java,
            Boolean::class.java,
        )
}

/** The one way by which modules call native functions: `NativeLibrary`, `LibrarySearch`, `NativeFunctions`, `NativeCallback`. */
class NativeBindingTest :
    FunSpec({
        val file: Path = CCompiler.find(System.getenv()).sharedLibrary("binding", mapOf("binding.c" to SOURCE))
        val library = NativeLibrary.search("library of sums").files(listOf(file)).open()
        val lookup = MethodHandles.lookup()
        val sums = library.bind(lookup, Sums::class.java).calls

        test("arguments and results of every type have the same values in C") {
            sums.sum_of_all(1L shl 40, -7, 300, -3, true, 2.5f, 1e6) shouldBe
                (1L shl 40) - 7 + 300 - 3 + 1 + 2 + 1_000_000
            sums.negated(Int.MAX_VALUE) shouldBe -Int.MAX_VALUE
            sums.narrowed(0x1_8001) shouldBe (-0x7fff).toShort()
            sums.narrowest(0x1_81) shouldBe (-0x7f).toByte()
            sums.is_odd(-3) shouldBe true
            sums.is_odd(4) shouldBe false
            sums.half(3f) shouldBe 1.5f
            sums.third(1.0) shouldBe 1.0 / 3
            sums.nine(1, 2, 3, 4, 5, 6, -7, -8, 9) shouldBe 1 + 4 + 9 + 16 + 25 + 36 - 49 - 64 + 81
        }

        test(
            "a function writes to a native block, and default methods of the interface still work",
        ) {
            NativeAllocation.allocate(16).use { out ->
                sums.store(out.address + 8, Long.MIN_VALUE)
                out.getLong(0) shouldBe 0
                out.getLong(8) shouldBe Long.MIN_VALUE
            }
            sums.twice(21) shouldBe 42
        }

        test("the functions may be called by several threads at once") {
            val wrong = CopyOnWriteArrayList<Int>()
            List(4) { n ->
                thread { repeat(50_000) { if (sums.negated(it + n) != -(it + n)) wrong += it } }
            }.forEach(Thread::join)
            wrong.size shouldBe 0
        }

        test("a library is found by its file, and by a name that the system's loader knows") {
            library.name shouldBe file.toString()
            val byName =
                NativeLibrary
                    .search("C library")
                    .files(listOf(Path.of("/nonexistent/libc.so")))
                    .names(listOf("libabsent.so.1", "libc.so.6"))
                    .open()
            byName.name shouldBe "libc.so.6"
            byName.address("malloc") shouldBe byName.address("malloc")
            byName.address("no_such_function_anywhere") shouldBe 0
        }

        test("a library that the process has loaded comes before files, on request") {
            val other = tempdir().toPath().resolve("other.so")
            NativeLibrary
                .search("library of sums")
                .loaded { it == file.fileName.toString() }
                .files(listOf(other))
                .open()
                .name shouldBe file.toString()
        }

        test("a missing library is reported with every place of the search, in order") {
            val search =
                NativeLibrary
                    .search("library of sums")
                    .configured(null, "-Dsums")
                    .configured("", "-Dsums")
                    .loaded({ true }, Path.of("/nonexistent/maps"))
                    .files(listOf(Path.of("/nonexistent/a/libsums.so"), Path.of("/nonexistent/b/libsums.so")))
                    .names(listOf("libsums-absent.so"))
            repeat(2) {
                shouldThrow<NativeLibraryException> { search.open() }.message shouldBe
                    "there is no library of sums: looked for /nonexistent/a/libsums.so, /nonexistent/b/libsums.so, " +
                    "libsums-absent.so"
            }
        }

        test("a file that is no library is reported, and the search goes on") {
            val broken = tempdir().toPath().resolve("libsums.so").also { it.writeText("no library") }
            val search = NativeLibrary.search("library of sums").files(listOf(broken))
            shouldThrow<NativeLibraryException> { search.open() }.message shouldContain
                "; $broken is there and does not load (ldd shows whether it lacks a library)"
            search.files(listOf(file)).open().name shouldBe file.toString()
        }

        test("a file that the user names is the only one that is tried") {
            fun opening(named: Path) =
                NativeLibrary
                    .search("library of sums")
                    .files(listOf(file))
                    .configured(named.absolutePathString(), "-Dsums.library")
            opening(file).open().name shouldBe file.absolutePathString()
            val broken = tempdir().toPath().resolve("libsums.so").also { it.writeText("no library") }
            shouldThrow<NativeLibraryException> { opening(broken).open() }.message shouldStartWith
                "the library of sums $broken, which -Dsums.library names, does not load"
            shouldThrow<NativeLibraryException> { opening(Path.of("/nonexistent/x.so")).open() }.message shouldBe
                "the library of sums /nonexistent/x.so, which -Dsums.library names, does not exist"
        }

        test("a missing function has a reason, which a call of it throws, and other functions work") {
            val bound = library.bind(lookup, SumsOfOldAndNew::class.java)
            bound.missing() shouldContainExactly listOf("vanished")
            bound.has("negated") shouldBe true
            bound.has("added") shouldBe false
            bound.whyMissing("negated").shouldBeNull()
            bound.whyMissing("added") shouldBe "there is no function added in $file"
            bound.calls.negated(5) shouldBe -5
            repeat(2) {
                shouldThrow<NativeLibraryException> { bound.calls.added(1, 2) }.message shouldBe
                    "there is no function added in $file"
            }
            shouldThrow<NativeLibraryException> { bound.calls.vanished() }.message shouldBe
                "there is no function vanished in $file"
            shouldThrow<IllegalArgumentException> { bound.has("adding") }.message shouldContain "adding"
        }

        test("function pointers in a struct are bound by their names") {
            NativeAllocation.allocate(24).use { table ->
                library.bind(lookup, Filler::class.java).calls.fill(table.address)
                val offsets = mapOf("size" to 0L, "status" to 8L, "absent" to 16L)
                val bound =
                    NativeFunctions.of(
                        lookup,
                        Table::class.java,
                        { table.getLong(offsets.getValue(it)) },
                        "the table of sums",
                    )
                NativeAllocation.ofString("Grüße").use { bound.calls.size(it.address) shouldBe 7 }
                NativeAllocation.ofInts(0).use { state ->
                    bound.calls.status(state.address, 41) shouldBe 42
                    state.getInt(0) shouldBe 41
                }
                bound.missing() shouldContainExactly listOf("absent")
                shouldThrow<NativeLibraryException> { bound.calls.absent() }.message shouldBe
                    "there is no function absent in the table of sums"
            }
        }

        test("a function pointer may be an argument of each call, and 0 is refused") {
            val kinds = NativeFunctions.byAddress(lookup, Kinds::class.java)
            NativeAllocation.allocate(24).use { table ->
                library.bind(lookup, Filler::class.java).calls.fill(table.address)
                NativeAllocation.ofString("four").use { kinds.size(table.getLong(0), it.address) shouldBe 4 }
                NativeAllocation.ofInts(0).use { kinds.status(table.getLong(8), it.address, 1) shouldBe 2 }
                shouldThrow<IllegalArgumentException> { kinds.size(0, table.address) }
            }
        }

        test("native code calls back, and an exception there is reported and returned as 0") {
            val callback = Called.address()
            sums.call_back(callback, 20, 21) shouldBe 42
            sums.call_back(callback, 20, -1) shouldBe 0
            sums.call_back(callback, 20, 22) shouldBe 43
        }

        test("an interface that can't be bound is refused with the reason") {
            fun refused(type: Class<*>) =
                shouldThrow<IllegalArgumentException> { library.bind(lookup, type) }.message.orEmpty()
            refused(Overloaded::class.java) shouldContain "two functions of the name negated"
            refused(NativeAllocation::class.java) shouldContain "must be an interface"
            shouldThrow<IllegalArgumentException> {
                NativeFunctions.of(lookup, WithText::class.java, { 1 }, "nothing")
            }.message shouldContain "can't take or return java.lang.String"
            shouldThrow<IllegalArgumentException> { NativeFunctions.byAddress(lookup, WithoutAddress::class.java) }
                .message shouldContain "the first parameter must be a long"
            shouldThrow<IllegalArgumentException> { library.bind(MethodHandles.publicLookup(), Sums::class.java) }
                .message shouldContain "the lookup must be MethodHandles.lookup()"
            shouldThrow<IllegalArgumentException> { NativeCallback.of(lookup, "absent", Void.TYPE) }
        }

        test("a native block is zero at first, checks its bounds, and throws once it is closed") {
            val block = NativeAllocation.allocate(12)
            block.getInt(8) shouldBe 0
            block.putInt(8, -2)
            block.getInt(8) shouldBe -2
            block.getByte(8) shouldBe -2
            listOf(5L, -1L, Long.MAX_VALUE).forEach { offset ->
                shouldThrow<IndexOutOfBoundsException> { block.getLong(offset) }
                shouldThrow<IndexOutOfBoundsException> { block.putLong(offset, 1) }
            }
            block.close()
            block.close()
            shouldThrow<IllegalStateException> { block.address }
            shouldThrow<IllegalStateException> { block.getInt(0) }
        }

        test("native blocks can be made of numbers, bytes and strings") {
            NativeAllocation.ofLongs(1, -1).use { it.getLong(8) shouldBe -1 }
            NativeAllocation
                .ofBytes(
                    byteArrayOf(1, 2, 3),
                ).use { it.getBytes(1, 2).toList() shouldBe listOf<Byte>(2, 3) }
            NativeAllocation.ofString("").use { it.byteSize shouldBe 1 }
            NativeAllocation.ofString("abc").use {
                it.string shouldBe "abc"
                NativeMemory.getString(it.address, 2) shouldBe "ab"
            }
        }
    })
