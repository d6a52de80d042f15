package dev.arrowdevice.spark.cluster

import java.io.IOException
import java.net.InetAddress
import java.net.ServerSocket
import java.nio.file.Files
import java.nio.file.Path
import java.util.concurrent.TimeUnit
import java.util.jar.JarEntry
import java.util.jar.JarOutputStream
import kotlin.io.path.ExperimentalPathApi
import kotlin.io.path.deleteRecursively
import kotlin.io.path.isDirectory
import kotlin.io.path.isRegularFile
import kotlin.io.path.name

/** Spark's own standalone cluster: a master and two workers, as processes on loopback, ended and removed by [close]. */
internal class LocalCluster private constructor(
    private val home: Path,
    private val folder: Path,
    private val environment: Map<String, String>,
    private val gpus: Int,
) : AutoCloseable {
    private val processes = ArrayList<Process>()
    private val port = ServerSocket(0, 1, InetAddress.getLoopbackAddress()).use { it.localPort }
    private val master = "spark://127.0.0.1:$port"

    private fun start(): LocalCluster {
        daemon(
            "master.Master",
            "--host",
            "127.0.0.1",
            "--port",
            "$port",
            "--webui-port",
            "0",
            until = "New state: ALIVE",
        )
        repeat(2) { worker ->
            val work = Files.createDirectories(folder.resolve("worker$worker"))
            val host =
                arrayOf(
                    "--host",
                    "127.0.0.1",
                    "--webui-port",
                    "0",
                    "--cores",
                    "1",
                    "--memory",
                    "1g",
                    "--work-dir",
                    "$work",
                )
            val resources = if (gpus > 0) arrayOf("--properties-file", "${withGpus(worker)}") else arrayOf()
            daemon("worker.Worker", *host, *resources, master, until = "Successfully registered with master")
        }
        return this
    }

    /** Settings of a worker, by which Spark runs a script that names its GPUs. */
    private fun withGpus(worker: Int): Path {
        val addresses = List(gpus) { "\"${worker * gpus + it}\"" }
        val script = folder.resolve("gpus$worker")
        Files.writeString(script, "#!/bin/sh\necho '{\"name\": \"gpu\", \"addresses\": $addresses}'\n")
        check(script.toFile().setExecutable(true)) { "$script can't be made executable" }
        val gpu = "spark.worker.resource.gpu"
        return Files.writeString(
            folder.resolve("worker$worker.properties"),
            "$gpu.amount=$gpus\n$gpu.discoveryScript=$script\n",
        )
    }

    /** Starts a process, and reads its log until it says that it is ready. */
    private fun daemon(
        type: String,
        vararg arguments: String,
        until: String,
    ) {
        val log = folder.resolve("${processes.size}.log")
        val process =
            process(
                "spark-class",
                "org.apache.spark.deploy.$type",
                *arguments,
            ).redirectErrorStream(true).start()
        processes += process
        val lines = process.inputReader()
        val said = StringBuilder()
        while (until !in said) {
            said.append(lines.readLine() ?: error("Spark's $type has ended: $said")).append('\n')
        }
        Thread {
            try {
                lines.use { rest -> Files.newBufferedWriter(log).use { rest.transferTo(it) } }
            } catch (e: IOException) {
                // The process was ended while it was read from.
            }
        }.apply { isDaemon = true }.start()
    }

    /**
     * Runs a program, whose tasks the workers run.
     *
     * @param classPath what the program needs, but for Spark; folders of classes are packed
     * @param onLine gets each line that the program prints to its standard output
     * @return its exit status
     */
    fun submit(
        main: String,
        classPath: List<Path>,
        arguments: List<String>,
        onLine: (String) -> Unit,
    ): Int {
        val jars = classPath.mapIndexed { i, path -> if (path.isDirectory()) pack(path, i) else path }
        val command =
            listOf("--master", master, "--class", main, "--jars", jars.joinToString(","), "--driver-memory", "1g") +
                listOf(
                    "--conf",
                    "spark.executor.memory=700m",
                    "--conf",
                    "spark.ui.enabled=false",
                    "--conf",
                    "spark.driver.host=127.0.0.1",
                ) +
                listOf("--conf", "spark.local.dir=$folder", emptyJar("empty-$main.jar")) + arguments
        val process =
            process(
                "spark-submit",
                *command.toTypedArray(),
            ).redirectError(folder.resolve("submit.log").toFile()).start()
        processes += process
        process.inputReader().forEachLine(onLine)
        return process.waitFor()
    }

    /** Of the log of the program that was submitted last, what went wrong. */
    fun log(): String =
        Files
            .readAllLines(folder.resolve("submit.log"))
            .filter {
                "Exception" in it || "ERROR" in it
            }.takeLast(LOG_LINES)
            .joinToString("\n")

    private fun process(
        program: String,
        vararg arguments: String,
    ) = ProcessBuilder(listOf("$home/bin/$program") + arguments).apply {
        environment() +=
            mapOf(
                "SPARK_LOCAL_IP" to "127.0.0.1",
                "SPARK_HOME" to "$home",
                "JAVA_HOME" to System.getProperty("java.home"),
            )
        environment() += this@LocalCluster.environment
    }

    private fun pack(
        classes: Path,
        index: Int,
    ): Path {
        val jar = folder.resolve("classes$index.jar")
        JarOutputStream(Files.newOutputStream(jar)).use { out ->
            Files.walk(classes).use { files ->
                files.filter { it.isRegularFile() && it.name != "module-info.class" }.forEach { file ->
                    out.putNextEntry(JarEntry(classes.relativize(file).joinToString("/")))
                    Files.copy(file, out)
                }
            }
        }
        return jar
    }

    /** spark-submit wants one jar more than those that it is told of. */
    private fun emptyJar(name: String): String =
        folder.resolve(name).also { JarOutputStream(Files.newOutputStream(it)).close() }.toString()

    @OptIn(ExperimentalPathApi::class)
    override fun close() {
        // The workers' executors end with them.
        processes.reversed().forEach { process ->
            process.descendants().forEach { it.destroy() }
            process.destroy()
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) process.destroyForcibly().waitFor()
        }
        runCatching { folder.deleteRecursively() }
    }

    companion object {
        private const val LOG_LINES = 30
        private const val STOP_SECONDS = 20L

        /** Where `bridges/spark/environment` installs Spark. */
        private val installed: Path? by lazy {
            val cache = System.getenv("XDG_CACHE_HOME") ?: "${System.getProperty("user.home")}/.cache"
            val environment = Path.of(System.getenv("ARROW_DEVICE_SPARK") ?: "$cache/arrow-device/spark")
            val libraries = environment.resolve("lib")
            if (!Files.exists(environment.resolve("installed"))) {
                null
            } else {
                Files.list(libraries).use { all ->
                    all
                        .map { it.resolve("site-packages/pyspark") }
                        .filter { it.isDirectory() }
                        .findFirst()
                        .orElse(null)
                }
            }
        }

        /** Why there is no cluster, null if there can be one. */
        fun obstacle(): String? =
            if (installed ==
                null
            ) {
                "Spark is not installed: bridges/spark/environment installs it"
            } else {
                null
            }

        /**
         * @param environment further variables of all processes
         * @param gpus how many GPUs each worker says that it has: the first has 0 and 1, the second 2 and 3
         */
        fun start(
            environment: Map<String, String> = emptyMap(),
            gpus: Int = 0,
        ): LocalCluster {
            val home = checkNotNull(installed)
            val cluster = LocalCluster(home, Files.createTempDirectory("arrow-device-cluster"), environment, gpus)
            try {
                return cluster.start()
            } catch (e: Throwable) {
                cluster.close()
                throw e
            }
        }

        /** Of this process, what a program on Spark needs and Spark does not have. */
        fun ownClassPath(vararg libraries: String): List<Path> =
            System
                .getProperty("java.class.path")
                .split(':')
                .map { Path.of(it).toAbsolutePath() }
                .filter { path ->
                    path.isDirectory() || path.name.startsWith("arrow-device-") ||
                        libraries.any { path.name.startsWith(it) }
                }.filter { Files.exists(it) }
    }
}
