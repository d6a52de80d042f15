package main

// #include <stdint.h>
import "C"

import (
	"errors"
	"io"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/arrio"
	"github.com/apache/arrow-go/v18/arrow/cdata"
)

// failing is a reader that fails where another one ends.
type failing struct {
	array.RecordReader
	ended bool
}

func (f *failing) Next() bool {
	f.ended = !f.RecordReader.Next()
	return !f.ended
}

func (f *failing) Err() error {
	if f.ended {
		return errors.New("the gopher is gone")
	}
	return f.RecordReader.Err()
}

// peer_stream_import takes over the stream, and returns a handle of a reader.
//
//export peer_stream_import
func peer_stream_import(stream C.int64_t) C.int64_t {
	return guarded(func() (C.int64_t, error) {
		reader, err := cdata.ImportCRecordReader(pointer[cdata.CArrowArrayStream](stream), nil)
		if err != nil {
			return 0, err
		}
		return keep(reader), nil
	})
}

// peer_stream_next returns a handle of the next batch as a struct array, or 0 at the end.
//
//export peer_stream_next
func peer_stream_next(handle C.int64_t) C.int64_t {
	return guarded(func() (C.int64_t, error) {
		record, err := at[arrio.Reader](handle).Read()
		if errors.Is(err, io.EOF) {
			return 0, nil
		}
		if err != nil {
			return 0, err
		}
		// The reader releases the batch when it reads the next one; the array is an owner of its own.
		return keep(&held{schema: record.Schema(), array: array.RecordToStructArray(record)}), nil
	})
}

// peer_stream_export moves the reader into a stream that arrow-go exports.
//
//export peer_stream_export
func peer_stream_export(handle, stream C.int64_t) C.int64_t {
	return guarded(func() (C.int64_t, error) {
		reader := at[arrio.Reader](handle).(array.RecordReader)
		cdata.ExportRecordReader(reader, pointer[cdata.CArrowArrayStream](stream))
		reader.Release()
		forget(handle)
		return 0, nil
	})
}

// peer_stream_of exports a stream that has the batch so many times, and then fails if that is wanted.
//
//export peer_stream_of
func peer_stream_of(handle, times, fails, stream C.int64_t) C.int64_t {
	return guarded(func() (C.int64_t, error) {
		h := at[*held](handle)
		record := h.record()
		defer record.Release()
		batches := make([]arrow.RecordBatch, times)
		for i := range batches {
			batches[i] = record
		}
		reader, err := array.NewRecordReader(h.schema, batches)
		if err != nil {
			return 0, err
		}
		defer reader.Release()
		if fails != 0 {
			reader = &failing{RecordReader: reader}
		}
		cdata.ExportRecordReader(reader, pointer[cdata.CArrowArrayStream](stream))
		return 0, nil
	})
}

//export peer_stream_close
func peer_stream_close(handle C.int64_t) {
	at[arrio.Reader](handle).(array.RecordReader).Release()
	forget(handle)
}
