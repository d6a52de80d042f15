package dev.arrowdevice.internal.notebooks

import dev.arrowdevice.Device
import dev.arrowdevice.Field
import dev.arrowdevice.Schema
import dev.arrowdevice.internal.type.Brief
import dev.arrowdevice.spi.DeviceReference
import dev.arrowdevice.spi.DeviceRuntime
import dev.arrowdevice.spi.Devices

private const val MAX_FIELDS = 200

internal fun schemaHtml(schema: Schema): String {
    val fields = schema.fields().take(MAX_FIELDS)
    val titles = listOf("field", "type", "nullable", "metadata").take(if (fields.any(::hasMetadata)) 4 else 3)
    val html = Html()
    html.table(titles.map { Cell(it) }, fields.map { row(it).take(titles.size) })
    val left = schema.size() - fields.size
    html.note(counted(schema.size().toLong(), "field") + if (left > 0) ", the first ${fields.size} shown" else "")
    if (!schema.metadata().isEmpty) html.note("metadata: ${schema.metadata()}")
    return html.toString()
}

private fun hasMetadata(field: Field) = !field.metadata().isEmpty

private fun row(field: Field) =
    listOf(
        Cell(field.name()),
        Cell(Brief.type(field.type()), most = MAX_LINE),
        Cell(if (field.nullable()) "yes" else "no"),
        Cell(if (hasMetadata(field)) field.metadata().toString() else ""),
    )

internal fun deviceHtml(reference: DeviceReference): String {
    val html = Html()
    val device = reference.device
    try {
        val runtime = reference as? DeviceRuntime ?: Devices.find(device)
        if (runtime == null) {
            html.note("$device: no runtime is registered; Devices.discover() says why")
        } else {
            html.table(
                listOf("device", "", "memory", "free", "host reads it").map { Cell(it) },
                listOf(row(device, runtime)),
            )
        }
    } catch (e: RuntimeException) {
        // A driver that fails.
        html.note("$device: ${e.message}")
    }
    return html.toString()
}

private fun row(
    device: Device,
    runtime: DeviceRuntime,
): List<Cell> {
    val memory = runtime.memoryInfo
    return listOf(
        Cell(device.toString()),
        Cell(runtime.description),
        Cell(memory?.let { bytes(it.total()) } ?: "unknown", number = true),
        Cell(memory?.let { bytes(it.free()) } ?: "unknown", number = true),
        Cell(if (runtime.isHostReadable) "yes" else "no"),
    )
}

private fun bytes(count: Long): String = "${grouped(count shr 20)} MiB"
