package dev.arrowdevice.samples.notebooks

import dev.arrowdevice.samples.DATA
import io.kotest.core.spec.style.FunSpec
import io.kotest.core.test.Enabled
import io.kotest.engine.spec.tempdir
import io.kotest.matchers.collections.shouldContainExactly
import io.kotest.matchers.shouldBe
import io.kotest.matchers.string.shouldContain
import io.kotest.matchers.string.shouldNotContain
import kotlin.io.path.absolutePathString
import kotlin.io.path.readText

/** The real kernel: cells in, HTML out. What the HTML of each value is, is tested in `core`. */
class NotebookTest :
    FunSpec({
        val folder = tempdir().toPath()

        test("with the jar of the core alone, values are shown as tables").config(
            enabledOrReasonIf = { Kernel.whyNot?.let(Enabled::disabled) ?: Enabled.enabled },
        ) {
            val html =
                Kernel.html(
                    Kernel.notebook(
                        listOf(
                            """@file:DependsOn("${jar("arrow-device-core", folder)}")""",
                            """@file:DependsOn("${jar("arrow-device-testkit", folder)}")""",
                            """
                            val batch = recordBatch {
                                column<Long>("id") { addAll(1L..30L) }
                                column<String>("<b>name</b>") {
                                    for (i in 1..30) if (i == 2) addNull() else add("<i>${'$'}i</i>")
                                }
                            }
                            batch
                            """.trimIndent(),
                            """batch.values<String>("<b>name</b>")""",
                            "batch.column(0)",
                            "batch.schema",
                            "Device.CPU",
                            """
                            val stream = DeviceArrayStream.of(batch.schema, listOf(batch.slice(0, 3), batch.slice(3, 1)))
                            stream
                            """.trimIndent(),
                            "generateSequence { stream.nextBatch() }.sumOf { b -> b.use { it.rowCount } }",
                            """
                            val gpu = dev.arrowdevice.testkit.device.SimulatedDevice.open(0)
                            val there = batch.copyTo(gpu.device())
                            there
                            """.trimIndent(),
                            "there.close(); gpu.close(); stream.close(); batch.close()\nbatch",
                            """"buffers left: " + ArrowCounters.now().hostBuffers()""",
                        ),
                    ),
                    folder,
                )
            val notes = Regex("<p class=\"note\">(.*?)</p>").findAll(html).map { it.groupValues[1] }.toList()
            notes shouldContainExactly
                listOf(
                    "30 rows × 2 columns, the first 20 shown",
                    "30 values, the first 20 shown",
                    "30 values, the first 20 shown",
                    "2 fields",
                    "Stream of batches on CPU, the next one:",
                    "3 rows × 2 columns",
                    "30 rows × 2 columns, on EXT_DEV:0; copyTo(Device.CPU) to read",
                    "30 rows × 2 columns, released",
                )
            html shouldContain """<th class="number">id<br/><span class="note">int64</span></th>"""
            html shouldContain """<th>&lt;b&gt;name&lt;/b&gt;<br/><span class="note">utf8, 1 null</span></th>"""
            html shouldContain """<tr><td class="number">2</td><td class="null">null</td></tr>"""
            html shouldContain """<tr><td class="number">3</td><td>&lt;i&gt;3&lt;/i&gt;</td></tr>"""
            html shouldContain "<td>CPU</td>"
            html shouldContain "<pre>4</pre>"
            html shouldContain "buffers left: 0"
            html shouldNotContain "Exception"
        }

        test("the sample notebook runs, and leaves nothing behind").config(
            enabledOrReasonIf = { Kernel.whyNot?.let(Enabled::disabled) ?: Enabled.enabled },
        ) {
            val ours = Regex("""\.\./\.\./\w+/target/(arrow-device-[a-z]+)-[^"\\]+\.jar""")
            val cached = Regex("""[\w.]+:(duckdb_jdbc|kotlinx-coroutines-core-jvm):[\d.]+""")
            val notebook =
                NOTEBOOKS
                    .resolve("flights.ipynb")
                    .readText()
                    .replace(ours) { jar(it.groupValues[1], folder) }
                    .replace(cached) { jar(it.groupValues[1], folder) }
                    .replace("../data", DATA.absolutePathString())
            val html = Kernel.html(notebook, folder)
            html shouldContain "Stream of batches on CPU, the next one:"
            html shouldContain "<svg"
            html shouldContain "Who leaves early leaves on time"
            html shouldContain "<pre>0</pre>"
            html shouldNotContain "Exception"
        }

        test("the sample notebook names the jars that this version builds") {
            val revision = Regex("<revision>(.*)</revision>").find(NOTEBOOKS.resolve("../../pom.xml").readText())
            val sample = NOTEBOOKS.resolve("flights.ipynb").readText()
            val named = Regex("""arrow-device-[a-z]+-(\d[^"\\]*)\.jar""").findAll(sample)
            named.map { it.groupValues[1] }.toSet() shouldBe setOf(revision?.groupValues?.get(1))
        }
    })
