package dev.arrowdevice.peers.arrowjava

import dev.arrowdevice.Schema
import org.apache.arrow.vector.VectorSchemaRoot
import org.apache.arrow.vector.dictionary.Dictionary
import org.apache.arrow.vector.ipc.ArrowReader

/** A source of batches as Arrow Java has them: one root, written anew each time. */
internal class JavaBatches(
    private val java: ArrowJava,
    schema: Schema,
    private val batches: Iterator<List<List<Any?>>>,
) : ArrowReader(java.allocator) {
    private val root = java.makeRoot(schema)

    var closed = false
        private set

    override fun getVectorSchemaRoot(): VectorSchemaRoot = root

    override fun lookup(id: Long): Dictionary? = java.made.lookup(id)

    override fun getDictionaryIds(): Set<Long> = java.made.dictionaryIds

    override fun loadNextBatch(): Boolean {
        if (!batches.hasNext()) return false
        java.write(root, batches.next())
        return true
    }

    override fun bytesRead(): Long = 0

    override fun closeReadSource() {
        root.close()
        closed = true
    }

    override fun readSchema(): org.apache.arrow.vector.types.pojo.Schema = root.schema
}
