package dev.arrowdevice.spark

import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.util.CaseInsensitiveStringMap
import java.io.Serializable
import java.util.TreeMap

/** What the user of a source has set. It prints names alone. */
internal class SourceOptions private constructor(
    private val values: TreeMap<String, String>,
) : Serializable {
    constructor(options: Map<String, String>) : this(
        TreeMap<String, String>(String.CASE_INSENSITIVE_ORDER).apply {
            putAll(if (options is CaseInsensitiveStringMap) options.asCaseSensitiveMap() else options)
        },
    )

    val all: Map<String, String> get() = values

    operator fun get(name: String): String? = values[name]

    operator fun contains(name: String): Boolean = name in values

    fun required(name: String): String = requireNotNull(values[name]) { "the option $name is missing" }

    fun withPrefix(prefix: String): HashMap<String, String> =
        values
            .filterKeys {
                it.startsWith(
                    prefix,
                    ignoreCase = true,
                )
            }.mapKeysTo(HashMap()) { it.key.substring(prefix.length) }

    /** A number of bytes, such as `512m`; null if there is no limit. */
    val memoryLimit: Long? get() = values[MEMORY_LIMIT]?.let { byteSize(MEMORY_LIMIT, it) }

    /** The number of rows of a batch that is made of Spark's rows. */
    val batchRows: Int get() = positive(BATCH_ROWS) ?: DEFAULT_BATCH_ROWS

    fun positive(name: String): Int? =
        values[name]?.let {
            requireNotNull(
                it.trim().toIntOrNull()?.takeIf { number ->
                    number > 0
                },
            ) { "the option $name is \"$it\", not a number from 1" }
        }

    /** A misspelt option would be ignored, and with it what the user meant. */
    fun requireKnown(
        source: String,
        known: Collection<String>,
    ) {
        val unknown =
            values.keys.filterNot { name ->
                name.startsWith("__") ||
                    (known + COMMON).any { it.equals(name, true) || (it.endsWith('.') && name.startsWith(it, true)) }
            }
        require(unknown.isEmpty()) {
            "$source has no option ${unknown.joinToString()}; there are: ${(known + COMMON).joinToString()}"
        }
    }

    /**
     * Spark prints the options of a write with its plan, but for those that its configuration calls secret. Refuses a secret
     * that it would print.
     */
    fun requireRedacted() {
        val conf = SparkSession.active().conf()
        val hidden =
            listOf(
                conf.get("spark.sql.redaction.options.regex", "(?i)url"),
                conf.get("spark.redaction.regex", SPARKS_DEFAULT),
            ).map(::Regex)
        val shown =
            values.filter { (name, value) ->
                (
                    SECRET_NAME.containsMatchIn(name) || SECRET_VALUE.containsMatchIn(value) ||
                        (!name.equals("query", true) && SECRET_SETTING.containsMatchIn(value))
                ) &&
                    hidden.none { it.containsMatchIn(name) }
            }
        require(shown.isEmpty()) {
            "Spark would print the secrets in ${shown.keys.joinToString()} with its plans: " +
                "set spark.sql.redaction.options.regex to (?i)url|${shown.keys.joinToString(
                    "|",
                ) { Regex.escape(it) }}" +
                if ("uri" in shown.keys) ", or use the option url in place of uri" else ""
        }
    }

    override fun toString(): String = values.keys.joinToString(prefix = "options ")

    companion object {
        const val MEMORY_LIMIT: String = "memory.limit"
        const val BATCH_ROWS: String = "batch.rows"
        const val PREFIX: String = "arrow-device"
        private const val DEFAULT_BATCH_ROWS = 65_536
        private val COMMON = listOf(MEMORY_LIMIT, BATCH_ROWS)
        private const val SPARKS_DEFAULT = "(?i)secret|password|token|access[.]?key"
        private val SECRET_NAME =
            Regex("(?i)secret|password|passwd|pwd|token|credential|authorization|(access|api|private).?key|passphrase")

        /** In a URI, or among the settings of a connection, which spaces may stand between. A query compares such columns too. */
        private val SECRET_VALUE = Regex("(?i)://[^/@]*:\\S+@|[?&;](password|passwd|pwd|secret|token)=")
        private val SECRET_SETTING = Regex("(?i)(^|\\s)(password|passwd|pwd|secret|token|sslpassword)\\s*=")
        private val SIZE = Regex("(?i)(\\d+)\\s*([kmgt]?)b?")

        fun byteSize(
            name: String,
            text: String,
        ): Long {
            val (number, unit) =
                requireNotNull(
                    SIZE.matchEntire(text.trim()),
                ) { "the option $name is \"$text\", not a size such as 512m" }.destructured
            val shift = if (unit.isEmpty()) 0 else ("kmgt".indexOf(unit.lowercase()) + 1) * BITS_OF_K
            return Math.multiplyExact(number.toLong(), 1L shl shift)
        }

        /** The options of the session, as those of a source that it passes them to. */
        fun ofSession(session: SparkSession): SourceOptions =
            SourceOptions(
                listOf(MEMORY_LIMIT, BATCH_ROWS)
                    .mapNotNull { name ->
                        session.conf().get("spark.datasource.$PREFIX.$name", "").takeIf { it.isNotEmpty() }?.let {
                            name to
                                it
                        }
                    }.toMap(),
            )

        private const val BITS_OF_K = 10
    }
}
