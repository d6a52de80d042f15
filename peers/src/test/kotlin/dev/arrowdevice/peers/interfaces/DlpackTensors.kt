package dev.arrowdevice.peers.interfaces

import dev.arrowdevice.DeviceArray
import dev.arrowdevice.internal.abi.CDlpack
import dev.arrowdevice.interop.DlpackStruct
import dev.arrowdevice.interop.DlpackTensor
import dev.arrowdevice.interop.ExportOptions
import dev.arrowdevice.interop.ImportOptions
import dev.arrowdevice.peers.PeerDlpack
import dev.arrowdevice.peers.PeerTensor
import io.kotest.assertions.throwables.shouldThrow
import java.lang.foreign.MemoryLayout.PathElement

internal fun takeTensor(
    tensor: PeerTensor,
    options: ImportOptions = ImportOptions.defaults(),
): DeviceArray = importTensor(PeerDlpack.produce(tensor), tensor.versioned(), options)

internal fun importTensor(
    address: Long,
    versioned: Boolean,
    options: ImportOptions = ImportOptions.defaults(),
): DeviceArray = DlpackTensor.importArray(structAt(address, versioned), options)

internal fun structAt(
    address: Long,
    versioned: Boolean,
): DlpackStruct = if (versioned) DlpackStruct.versioned(address) else DlpackStruct.legacy(address)

internal fun exportTensor(
    array: DeviceArray,
    versioned: Boolean = true,
    options: ExportOptions = ExportOptions.defaults().writable(),
): Long =
    (if (versioned) DlpackTensor.exportVersioned(array, options) else DlpackTensor.exportLegacy(array, options)).address

/** The C peer's text of an export. The C peer calls the deleter after that. */
internal fun seenByC(
    array: DeviceArray,
    versioned: Boolean = true,
    options: ExportOptions = ExportOptions.defaults().writable(),
): String {
    val address = exportTensor(array, versioned, options)
    return PeerDlpack.render(address, versioned).also { PeerDlpack.delete(address, versioned) }
}

/** The refusal of an import; that the deleter was called once, the balance says. */
internal fun tensorRefusal(
    tensor: PeerTensor,
    options: ImportOptions = ImportOptions.defaults(),
    spoil: (Long) -> Unit = {},
): String =
    shouldThrow<IllegalArgumentException> {
        val address = PeerDlpack.produce(tensor)
        spoil(address)
        importTensor(address, tensor.versioned(), options)
    }.message.orEmpty()

private val LEGACY_TENSOR = CDlpack.LEGACY_LAYOUT.byteOffset(PathElement.groupElement("dl_tensor"))

internal val VERSIONED_TENSOR = CDlpack.VERSIONED_LAYOUT.byteOffset(PathElement.groupElement("dl_tensor"))

/** The offset of a member of the DLTensor in one of the two structs. */
internal fun tensorMember(
    name: String,
    versioned: Boolean = true,
): Long {
    val tensor = CDlpack.TENSOR_LAYOUT.byteOffset(PathElement.groupElement(name))
    return (if (versioned) VERSIONED_TENSOR else LEGACY_TENSOR) + tensor
}

internal fun deleterOffset(versioned: Boolean): Long =
    (if (versioned) CDlpack.VERSIONED_LAYOUT else CDlpack.LEGACY_LAYOUT).byteOffset(PathElement.groupElement("deleter"))
