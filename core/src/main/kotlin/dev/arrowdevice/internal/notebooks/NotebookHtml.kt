package dev.arrowdevice.internal.notebooks

import dev.arrowdevice.ArrayView
import dev.arrowdevice.Column
import dev.arrowdevice.DeviceArrayStream
import dev.arrowdevice.Field
import dev.arrowdevice.NonNullColumn
import dev.arrowdevice.RecordBatch
import dev.arrowdevice.Schema
import dev.arrowdevice.StructColumn
import dev.arrowdevice.spi.DeviceReference

/**
 * What a notebook shows for values of this library. `META-INF/kotlin-jupyter-libraries/libraries.json` names it to the Kotlin
 * kernel, whose cells reach public members only.
 */
public object NotebookHtml {
    /** The classes whose values, and those of their subclasses, [of] shows. */
    @JvmField
    public val classes: List<Class<*>> =
        listOf(
            RecordBatch::class.java,
            ArrayView::class.java,
            Column::class.java,
            NonNullColumn::class.java,
            StructColumn::class.java,
            Schema::class.java,
            Field::class.java,
            DeviceReference::class.java,
            DeviceArrayStream::class.java,
        )

    /**
     * A value of one of the [classes] as HTML. Never fails: if the value is closed, not readable, malformed or broken, the
     * HTML says so.
     */
    @JvmStatic
    public fun of(value: Any): String =
        when (value) {
            is RecordBatch -> batchHtml(value)
            is ArrayView -> arrayHtml("", value, value)
            is Column<*> -> arrayHtml(value.name, value.array, value.view)
            is NonNullColumn<*> -> arrayHtml(value.name, value.array, value.array)
            is StructColumn -> arrayHtml(value.name, value.array, value.view)
            is Schema -> schemaHtml(value)
            is Field -> schemaHtml(Schema.of(value))
            is DeviceReference -> deviceHtml(value)
            is DeviceArrayStream -> streamHtml(value)
            else -> throw IllegalArgumentException("a notebook shows no ${value.javaClass.name} as HTML")
        }
}
