"""Arrow arrays of Java as the objects that Python libraries look for, and theirs as arrays of Java: in one process, without a copy.

    batch = arrow_device.RecordBatch(java_batch)       # has __arrow_c_array__ and its relatives
    table = pyarrow.table(batch)
    java_batch = arrow_device.import_batch(table.to_batches()[0])

It works the same whether Java hosts Python (Jep, in a SharedInterpreter) or Python hosts the JVM (JPype, after startJVM). The
JVM has arrow-device-core and arrow-device-python on its class path and the flag --enable-native-access=ALL-UNNAMED.

An object made here of a Java object is one more owner of the same memory: whoever has the Java object still closes it. Only
streams, which can't be shared, are moved. An object made here is closed by close(), at the end of a with block, or when Python
destroys it; what consumers have imported from it stays valid. The import functions return a Java object. Java code closes it,
or Python code by its close(); until then it keeps the Python object alive that it came from.
"""

from ._exports import Array, RecordBatch, Schema, Stream, to_python
from ._imports import (
    import_array,
    import_batch,
    import_cuda,
    import_field,
    import_schema,
    import_stream,
    import_tensor,
    import_usm,
)
from ._java import java_class

__version__ = "0.1.0.dev0"

__all__ = [
    "Array",
    "RecordBatch",
    "Schema",
    "Stream",
    "import_array",
    "import_batch",
    "import_cuda",
    "import_field",
    "import_schema",
    "import_stream",
    "import_tensor",
    "import_usm",
    "java_class",
    "to_python",
]
