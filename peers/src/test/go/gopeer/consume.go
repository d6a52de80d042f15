package main

// #include <stdint.h>
// #include <stdlib.h>
import "C"

import (
	"context"
	"strings"
	"unsafe"

	"github.com/apache/arrow-go/v18/arrow/array"
	"github.com/apache/arrow-go/v18/arrow/cdata"
)

const (
	ended  = -1
	failed = -2
)

type consumer struct {
	handler unsafe.Pointer
	cancel  context.CancelFunc
	opened  chan struct{}
	stream  <-chan cdata.RecordMessage
	sum     int64
	// What the last batch came with, as key=value.
	metadata string
}

// peer_consume makes a handler, whose queue of so many batches is requested as soon as the schema has come, and
// returns the number of a job.
//
//export peer_consume
func peer_consume(queueSize C.int64_t) C.int64_t {
	c := &consumer{
		handler: C.calloc(1, C.size_t(unsafe.Sizeof(cdata.CArrowAsyncDeviceStreamHandler{}))),
		opened:  make(chan struct{}),
	}
	j := &job{consumer: c}
	ctx, cancel := context.WithCancel(context.Background())
	c.cancel = cancel
	handler := (*cdata.CArrowAsyncDeviceStreamHandler)(c.handler)
	schemas := cdata.CreateAsyncDeviceStreamHandler(ctx, uint64(queueSize), handler)
	go func() {
		defer close(c.opened)
		// on_schema blocks the producer until somebody reads this channel.
		opened := <-schemas
		c.stream = opened.Stream
		j.failure = opened.Err
	}()
	return add(j)
}

// peer_handler returns the address of the job's handler.
//
//export peer_handler
func peer_handler(id C.int64_t) C.uintptr_t {
	return C.uintptr_t(uintptr(get(id).consumer.handler))
}

// peer_next waits for a batch and returns its number of rows, or -1 at the end of the stream, or -2 if it has failed.
//
//export peer_next
func peer_next(id C.int64_t) C.int64_t {
	j := get(id)
	c := j.consumer
	<-c.opened
	if j.failure != nil {
		return failed
	}
	message, ok := <-c.stream
	if !ok {
		return ended
	}
	if message.Err != nil {
		j.failure = message.Err
		return failed
	}
	defer message.Record.Release()
	for _, number := range message.Record.Column(0).(*array.Int64).Int64Values() {
		c.sum += number
	}
	pairs := make([]string, 0, message.AdditionalMetadata.Len())
	for i, key := range message.AdditionalMetadata.Keys() {
		pairs = append(pairs, key+"="+message.AdditionalMetadata.Values()[i])
	}
	c.metadata = strings.Join(pairs, ",")
	return C.int64_t(message.Record.NumRows())
}

// peer_sum returns the sum of all numbers that peer_next has seen.
//
//export peer_sum
func peer_sum(id C.int64_t) C.int64_t {
	return C.int64_t(get(id).consumer.sum)
}

// peer_metadata writes what the last batch came with, like peer_job_error.
//
//export peer_metadata
func peer_metadata(id C.int64_t, text *C.char, size C.int64_t) {
	metadata := append([]byte(get(id).consumer.metadata), 0)
	copy(unsafe.Slice((*byte)(unsafe.Pointer(text)), int(size)), metadata)
}

// peer_cancel cancels the stream.
//
//export peer_cancel
func peer_cancel(id C.int64_t) {
	get(id).consumer.cancel()
}

// The producer must have released the handler.
func (c *consumer) close() {
	c.cancel()
	<-c.opened
	if c.stream != nil {
		for message := range c.stream {
			if message.Record != nil {
				message.Record.Release()
			}
		}
	}
	C.free(c.handler)
}
