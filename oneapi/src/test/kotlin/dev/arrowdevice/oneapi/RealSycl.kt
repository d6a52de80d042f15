package dev.arrowdevice.oneapi

import dev.arrowdevice.spi.MemoryKind
import dev.arrowdevice.testkit.ReleaseBalance
import io.kotest.core.spec.style.FunSpec
import io.kotest.core.test.Enabled
import java.lang.foreign.Arena
import java.lang.foreign.FunctionDescriptor
import java.lang.foreign.Linker
import java.lang.foreign.ValueLayout.JAVA_INT
import java.lang.foreign.ValueLayout.JAVA_LONG
import java.nio.file.Path
import kotlin.io.path.exists
import kotlin.io.path.isDirectory
import kotlin.io.path.listDirectoryEntries

/** The SYCL runtime that `oneapi/sycl-runtime` has installed, with its CPU device; in this process, for its life. */
internal object RealSycl {
    /** The Python environment: `ARROW_DEVICE_SYCL`, or where `oneapi/sycl-runtime` puts it. */
    val home: Path =
        System.getenv("ARROW_DEVICE_SYCL")?.let(Path::of)
            ?: (System.getenv("XDG_CACHE_HOME")?.let(Path::of) ?: Path.of(System.getProperty("user.home"), ".cache"))
                .resolve("arrow-device")
                .resolve("sycl")

    /** dpctl's library there; null if there is none. */
    val file: Path? =
        home
            .resolve("lib")
            .takeIf { it.isDirectory() }
            ?.listDirectoryEntries("python3*")
            ?.map { it.resolve("site-packages").resolve("dpctl").resolve(SyclSearch.NAME) }
            ?.firstOrNull { it.exists() }

    val cpuDriver: Path = home.resolve("lib").resolve("libintelocl.so")

    /** Why tests with it are skipped; null if they are not. */
    val whyNot: String? =
        when {
            file == null -> {
                "There is no SYCL runtime in $home; oneapi/sycl-runtime installs one."
            }

            // Intel's runtime for CPUs takes SIGSEGV for itself, which the JVM needs for its safepoints.
            "libjsig" !in System.getenv("LD_PRELOAD").orEmpty() -> {
                "SYCL would end this process: LD_PRELOAD must name the JDK's libjsig.so, as it does in Maven's build."
            }

            else -> {
                null
            }
        }

    val library: SyclLibrary by lazy {
        if (System.getenv("OCL_ICD_FILENAMES") == null) putEnvironment("OCL_ICD_FILENAMES", "$cpuDriver")
        SyclLibrary.load(checkNotNull(file))
    }

    val devices: SyclDevices by lazy { SyclDevices(library).also { it.count() } }

    /** The CPU device's, for the life of the process. */
    val driver: SyclDriver by lazy { devices.openDriver(0) }

    fun <T> open(
        kind: MemoryKind = MemoryKind.DEVICE,
        body: (SyclRuntime) -> T,
    ): T = devices.open(0, kind).use(body)

    /** Java can't change its own environment, which the OpenCL loader reads when it first looks for devices. */
    private fun putEnvironment(
        name: String,
        value: String,
    ) {
        val linker = Linker.nativeLinker()
        val setenv =
            linker.downcallHandle(
                linker.defaultLookup().find("setenv").get(),
                FunctionDescriptor.of(JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_INT),
            )
        Arena.ofConfined().use { arena ->
            val overwrite = 1
            val result =
                setenv.invokeWithArguments(
                    arena.allocateFrom(name).address(),
                    arena.allocateFrom(value).address(),
                    overwrite,
                )
            check(result == 0)
        }
    }
}

/**
 * A test with the real runtime, at whose end everything was released. It is skipped, with the reason, if there is none.
 */
internal fun FunSpec.onRealSycl(
    name: String,
    body: RealSycl.() -> Unit,
) = test(name).config(
    enabledOrReasonIf = { RealSycl.whyNot?.let(Enabled::disabled) ?: Enabled.enabled },
) {
    RealSycl.driver
    val balance = ReleaseBalance.start()
    RealSycl.body()
    balance.verify()
}
