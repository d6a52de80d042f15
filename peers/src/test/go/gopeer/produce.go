package main

// #include <stdint.h>
import "C"

import (
	"errors"
	"strconv"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/cdata"
)

var schema = arrow.NewSchema([]arrow.Field{{Name: "number", Type: arrow.PrimitiveTypes.Int64, Nullable: true}}, nil)

// A producer consists of two goroutines: one makes batches, one sends them.
type producer struct {
	fed, ended chan struct{}
}

// peer_produce sends batches of so many rows to the handler, numbered through from 0 on, and then the end, or a
// failure if that is wanted. It returns at once, with the number of a job. Less than 0 batches fail before the schema.
//
//export peer_produce
func peer_produce(handler C.uintptr_t, batches, rows C.int64_t, fail C.int64_t) C.int64_t {
	p := &producer{fed: make(chan struct{}), ended: make(chan struct{})}
	j := &job{producer: p}
	stream := make(chan cdata.RecordMessage)
	go func() {
		defer close(p.fed)
		feed(stream, p.ended, int64(batches), int64(rows), fail != 0)
	}()
	go func() {
		defer close(p.ended)
		sent := schema
		if batches < 0 {
			sent = nil
		}
		j.failure = cdata.ExportAsyncRecordBatchStream(sent, stream, handlerAt(handler))
	}()
	return add(j)
}

// feed makes a batch when the stream takes one, and stops when nobody does any more.
func feed(stream chan<- cdata.RecordMessage, ended <-chan struct{}, batches, rows int64, fail bool) {
	defer close(stream)
	for i := int64(0); i < batches; i++ {
		metadata := arrow.NewMetadata([]string{"batch"}, []string{strconv.FormatInt(i, 10)})
		record := numbers(i*rows, rows)
		select {
		case stream <- cdata.RecordMessage{Record: record, AdditionalMetadata: metadata}:
		case <-ended:
			record.Release()
			return
		}
	}
	if fail {
		select {
		case stream <- cdata.RecordMessage{Err: errors.New("the gopher is gone")}:
		case <-ended:
		}
	}
}

func numbers(first, rows int64) arrow.RecordBatch {
	builder := array.NewRecordBuilder(memory, schema)
	defer builder.Release()
	for i := int64(0); i < rows; i++ {
		builder.Field(0).(*array.Int64Builder).Append(first + i)
	}
	return builder.NewRecordBatch()
}
