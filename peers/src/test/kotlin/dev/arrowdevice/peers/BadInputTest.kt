package dev.arrowdevice.peers

import dev.arrowdevice.ArrowImport
import dev.arrowdevice.ArrowType
import dev.arrowdevice.CStruct
import dev.arrowdevice.InvalidArrayException
import dev.arrowdevice.Validation
import dev.arrowdevice.spi.NativeMemory
import io.kotest.assertions.throwables.shouldThrow
import io.kotest.assertions.throwables.shouldThrowAny
import io.kotest.assertions.withClue
import io.kotest.core.spec.style.FunSpec
import io.kotest.datatest.withData
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldStartWith

/** Whatever is wrong with an array: one clear exception, one release, no crash, nothing leaked. */
class BadInputTest :
    FunSpec({
        extension(PeerBalance)

        fun Structs.import(
            schema: SchemaStruct,
            array: ArrayStruct,
            validation: Validation,
        ) = ArrowImport.importArray(CStruct.arrayAt(array.address), CStruct.schemaAt(schema.address), validation)

        fun Structs.refused(
            case: Spoiled,
            validation: Validation,
        ) {
            val schema = produceSchema(case.field)
            val array = produceArray(schema, case.options)
            case.spoil(this, schema, array)
            if (validation < case.lowest) {
                import(schema, array, validation).close()
            } else {
                val failure = shouldThrow<InvalidArrayException> { import(schema, array, validation).close() }
                failure.message!! shouldContain case.message
            }
            withClue("consumed") {
                array.released() shouldBe true
                schema.released() shouldBe true
            }
        }

        val cases = (SpoiledArrays.all + SpoiledData.all).groupBy { it.lowest }
        Validation.entries.forEach { lowest ->
            context("no level below $lowest refuses, and $lowest and all above do:") {
                withData(nameFn = { it.name }, cases.getValue(lowest)) { case ->
                    Validation.entries.forEach { level -> withClue(level) { withStructs { refused(case, level) } } }
                }
            }
        }

        context("read without FULL validation, an exception or a value but no crash:") {
            withData(nameFn = { it.name }, SpoiledData.all) { case ->
                withStructs {
                    val schema = produceSchema(case.field)
                    val array = produceArray(schema, case.options.with(PeerQuirk.GUARD_BEHIND))
                    case.spoil(this, schema, array)
                    // The structure alone may give some of these away as well.
                    runCatching { import(schema, array, Validation.STRUCTURE) }.onSuccess { imported ->
                        imported.use {
                            for (row in 0 until it.length) runCatching { it.getObject(row) }
                            runCatching { it.canonical() }
                            it.toString() shouldStartWith ""
                        }
                    }
                }
            }
        }

        context("unusual and valid:") {
            fun accepted(
                field: PeerField,
                options: PeerOptions = PeerOptions.rows(7).withNullEvery(3),
                change: Structs.(ArrayStruct) -> Unit,
            ) = withStructs {
                val schema = produceSchema(field)
                val array = produceArray(schema, options)
                val expected = peer.renderArray(schema.address, array.address)
                change(array)
                ArrowImport
                    .importArray(
                        CStruct.arrayAt(array.address),
                        CStruct.schemaAt(schema.address),
                        Validation.FULL,
                    ).use {
                        it.canonical() shouldBe
                            expected
                    }
            }

            test("a null_count of -1 without a validity bitmap") {
                accepted(Fields.int32, PeerOptions.rows(7)) { it.nullCount(-1) }
            }
            test("a null array of the greatest possible length") {
                withStructs {
                    val schema = produceSchema(Fields.nothing)
                    val array = produceArray(schema, PeerOptions.rows(0))
                    array.length(1L shl 56)
                    array.nullCount(1L shl 56)
                    ArrowImport
                        .importArray(
                            CStruct.arrayAt(array.address),
                            CStruct.schemaAt(schema.address),
                            Validation.FULL,
                        ).use {
                            it.isNull((1L shl 56) - 1) shouldBe true
                            it.toString() shouldContain "null"
                            it.slice(5, 1L shl 55).use { slice -> slice.nullCount shouldBe (1L shl 55) }
                        }
                }
            }
            test("a null array at the greatest possible end") {
                accepted(Fields.nothing) { it.offset(SpoiledArrays.GREATEST_END - 7) }
            }
            test("the greatest and the least decimals and times") {
                fun taken(
                    format: String,
                    put: (buffer: Long) -> Unit,
                ) = withStructs {
                    val schema = produceSchema(PeerField.of("x", format))
                    val array = produceArray(schema, PeerOptions.rows(7))
                    put(array.buffer(1))
                    import(schema, array, Validation.FULL).use { it.length shouldBe 7 }
                }
                taken("d:5,2") { buffer ->
                    SpoiledData.putDecimal(buffer + 3 * 16, 99_999)
                    SpoiledData.putDecimal(buffer + 4 * 16, -99_999)
                }
                SpoiledData.times.forEach { (format, unit) ->
                    val (byteSize, day) = unit
                    taken(format) { buffer ->
                        SpoiledData.putTime(buffer + 3L * byteSize, byteSize, day - 1)
                        SpoiledData.putTime(buffer + 4L * byteSize, byteSize, 0)
                    }
                }
            }
            test("a null_count of -1 of a union") { accepted(Fields.dense) { it.nullCount(-1) } }
            test("a null array with null_count 0") { accepted(Fields.nothing) { it.nullCount(0) } }
            test("a null array with the validity buffer of old producers") {
                accepted(Fields.nothing) {
                    it.bufferCount(1)
                    it.buffers(zeroed(8))
                }
            }
            test("a union with the validity buffer of old producers") {
                accepted(Fields.sparse) { array ->
                    val pointers = zeroed(16)
                    NativeMemory.putLong(pointers + 8, array.buffer(0))
                    array.bufferCount(2)
                    array.buffers(pointers)
                }
            }
            test(
                "a child that is longer than its struct",
            ) { accepted(Fields.struct, PeerOptions.rows(7).withTail(3)) {} }
            test("no buffers at all where there are no rows") {
                for (field in listOf(
                    Fields.int32,
                    Fields.utf8,
                    Fields.list,
                    Fields.listView,
                    Fields.sparse,
                    Fields.dense,
                )) {
                    accepted(field, PeerOptions.rows(0)) { array ->
                        for (i in 0 until array.bufferCount().toInt()) array.buffer(i, 0)
                    }
                }
            }
            test(
                "NULL children for a type without children",
            ) { accepted(Fields.int32) { it.children(0) } }
        }

        context("the structs themselves:") {
            test("an address that is NULL is refused") {
                val makers =
                    listOf<(Long) -> CStruct>(
                        CStruct::schemaAt,
                        CStruct::arrayAt,
                        CStruct::deviceArrayAt,
                        CStruct::arrayStreamAt,
                        CStruct::deviceArrayStreamAt,
                    )
                makers.forEach { make ->
                    shouldThrow<IllegalArgumentException> { make(0L) }.message shouldContain "address is NULL"
                }
            }

            test("a released array is refused, and its schema is consumed") {
                withStructs {
                    val schema = produceSchema(Fields.int32)
                    val failure =
                        shouldThrow<IllegalStateException> {
                            ArrowImport.importArray(
                                CStruct.arrayAt(array()),
                                CStruct.schemaAt(schema.address),
                            )
                        }
                    failure.message!! shouldContain "already been released or moved"
                    schema.released() shouldBe true
                }
            }

            test("a released schema is refused, and its array is consumed") {
                withStructs {
                    val schema = produceSchema(Fields.int32)
                    val array = produceArray(schema, PeerOptions.rows(3))
                    peer.releaseSchema(schema.address)
                    val failure =
                        shouldThrow<IllegalStateException> {
                            ArrowImport.importArray(
                                CStruct.arrayAt(array.address),
                                CStruct.schemaAt(schema.address),
                            )
                        }
                    failure.message!! shouldContain "already been released or moved"
                    array.released() shouldBe true
                }
            }

            test("a second import of the same struct is refused") {
                withStructs {
                    val schema = produceSchema(Fields.int32)
                    val array = produceArray(schema, PeerOptions.rows(3))
                    ArrowImport.importArray(CStruct.arrayAt(array.address), ArrowType.INT32).use {
                        shouldThrow<IllegalStateException> {
                            ArrowImport.importArray(
                                CStruct.arrayAt(array.address),
                                ArrowType.INT32,
                            )
                        }
                        it.canonical() shouldBe "[11,48,85]"
                    }
                    peer.releaseSchema(schema.address)
                }
            }

            test("an array of another type is refused") {
                val others =
                    listOf(
                        ArrowType.UTF8,
                        ArrowType.INT32,
                        ArrowType.NULL,
                        ArrowType.list(ArrowType.INT32),
                        ArrowType.UTF8_VIEW,
                    )
                for (type in others) {
                    for (field in listOf(
                        Fields.struct,
                        Fields.dictionary,
                        Fields.runs,
                        Fields.largeListView,
                        Fields.fixedList,
                    )) {
                        withStructs {
                            val schema = produceSchema(field)
                            val array = produceArray(schema, PeerOptions.rows(3))
                            peer.releaseSchema(schema.address)
                            shouldThrow<InvalidArrayException> {
                                ArrowImport.importArray(
                                    CStruct.arrayAt(array.address),
                                    type,
                                )
                            }
                            array.released() shouldBe true
                        }
                    }
                }
            }

            test("ten thousand levels are refused") {
                withStructs {
                    val schema = schema()
                    val array = array()
                    peer.produceDeep(10_000, schema, array)
                    val failure =
                        shouldThrowAny {
                            ArrowImport.importArray(
                                CStruct.arrayAt(array),
                                CStruct.schemaAt(schema),
                            )
                        }
                    failure.message!! shouldContain "64 levels"
                }
            }

            test("ten thousand levels of an array are ignored if the schema does not have them") {
                withStructs {
                    val schema = schema()
                    val array = array()
                    peer.produceDeep(10_000, schema, array)
                    peer.releaseSchema(schema)
                    shouldThrow<InvalidArrayException> {
                        ArrowImport.importArray(
                            CStruct.arrayAt(array),
                            ArrowType.struct(),
                        )
                    }
                }
            }

            test("a record batch with nulls of its own is refused and released") {
                withStructs {
                    val schema = produceSchema(PeerField.of("", "+s", PeerField.of("id", "l")))
                    val array = produceArray(schema, PeerOptions.rows(5).withNullEvery(2))
                    val failure =
                        shouldThrow<IllegalArgumentException> {
                            ArrowImport.importBatch(
                                CStruct.arrayAt(array.address),
                                CStruct.schemaAt(schema.address),
                            )
                        }
                    failure.message!! shouldContain "2 nulls of its own"
                }
            }

            test("toString reports what is wrong with an array that was not validated") {
                withStructs {
                    val schema = produceSchema(Fields.struct)
                    val array = produceArray(schema, PeerOptions.rows(3))
                    array.child(0).length(2)
                    ArrowImport
                        .importArray(
                            CStruct.arrayAt(array.address),
                            CStruct.schemaAt(schema.address),
                            Validation.NONE,
                        ).use {
                            it.toString() shouldContain "slice(0, 3) of an array of length 2"
                        }
                }
            }

            test("an error has the path to the child") {
                withStructs {
                    val field = PeerField.of("x", "+s", PeerField.of("a", "+l", PeerField.of("item", "i")))
                    val schema = produceSchema(field)
                    val array = produceArray(schema, PeerOptions.rows(3))
                    array.child(0).child(0).length(-5)
                    shouldThrow<InvalidArrayException> {
                        ArrowImport.importArray(
                            CStruct.arrayAt(array.address),
                            CStruct.schemaAt(schema.address),
                        )
                    }.message shouldBe
                        "a.item: length is -5"
                }
            }
        }
    })
