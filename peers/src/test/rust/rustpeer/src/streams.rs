//! Streams of batches, imported and exported.

use std::sync::Arc;

use arrow_array::cast::AsArray;
use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use arrow_array::{Array, RecordBatch, RecordBatchReader, StructArray};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};

use crate::arrays::Held;
use crate::guarded;
use crate::validation::check;

/// The result of `peer_stream_next` at the end.
const END: i64 = 0;

/// Some batches, and then a failure, if there is one.
struct Batches {
    schema: SchemaRef,
    rest: std::vec::IntoIter<Result<RecordBatch, ArrowError>>,
}

impl Iterator for Batches {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        self.rest.next()
    }
}

impl RecordBatchReader for Batches {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }
}

/// Takes over the stream and returns a handle of a reader.
#[unsafe(no_mangle)]
pub extern "C" fn peer_stream_import(stream: i64) -> i64 {
    guarded(|| {
        // SAFETY: the caller passes a struct of the C stream interface, which is released whatever happens next.
        let reader = unsafe { RecordBatchStreamReader::from_raw(stream as *mut FFI_ArrowArrayStream) };
        Ok(Box::into_raw(Box::new(reader.map_err(|error| error.to_string())?)) as i64)
    })
}

/// A handle of the next batch as a struct array, or END.
#[unsafe(no_mangle)]
pub extern "C" fn peer_stream_next(reader: i64) -> i64 {
    guarded(|| {
        // SAFETY: the handle is one of peer_stream_import, and was not closed or exported.
        let reader = unsafe { &mut *(reader as *mut RecordBatchStreamReader) };
        let Some(batch) = reader.next() else {
            return Ok(END);
        };
        let batch = batch.map_err(|error| error.to_string())?;
        let schema = batch.schema();
        let array = StructArray::from(batch);
        check(&array.to_data())?;
        let field =
            Field::new("", DataType::Struct(schema.fields().clone()), false).with_metadata(schema.metadata().clone());
        Ok(Held { field: Arc::new(field), array: Arc::new(array) }.handle())
    })
}

/// Moves the reader into a stream that arrow-rs exports.
#[unsafe(no_mangle)]
pub extern "C" fn peer_stream_export(reader: i64, stream: i64) -> i64 {
    guarded(|| {
        // SAFETY: the handle is one of peer_stream_import and is not used afterwards; the caller has memory for a stream.
        unsafe {
            let reader = Box::from_raw(reader as *mut RecordBatchStreamReader);
            (stream as *mut FFI_ArrowArrayStream).write(FFI_ArrowArrayStream::new(reader));
        }
        Ok(0)
    })
}

/// Exports a stream that has the struct array so many times, and then fails if `fail` is not 0.
#[unsafe(no_mangle)]
pub extern "C" fn peer_stream_of(handle: i64, times: i64, fail: i64, stream: i64) -> i64 {
    guarded(|| {
        let held = Held::at(handle);
        let DataType::Struct(fields) = held.field.data_type() else {
            return Err("no struct".into());
        };
        let schema = Arc::new(Schema::new(fields.clone()).with_metadata(held.field.metadata().clone()));
        let batch =
            RecordBatch::from(held.array.as_struct()).with_schema(schema.clone()).map_err(|error| error.to_string())?;
        let mut rest: Vec<_> = (0..times).map(|_| Ok(batch.clone())).collect();
        if fail != 0 {
            rest.push(Err(ArrowError::ComputeError("the crab is gone".into())));
        }
        let batches = Batches { schema, rest: rest.into_iter() };
        // SAFETY: the caller passes memory for a stream, in which there is nothing to drop.
        unsafe { (stream as *mut FFI_ArrowArrayStream).write(FFI_ArrowArrayStream::new(Box::new(batches))) };
        Ok(0)
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn peer_stream_close(reader: i64) {
    // SAFETY: the handle is one of peer_stream_import that was not exported, and is passed here once.
    drop(unsafe { Box::from_raw(reader as *mut RecordBatchStreamReader) });
}
