// SPDX-License-Identifier: Apache-2.0
#ifndef PE_HTTP_H
#define PE_HTTP_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/// A running HTTP server.
typedef struct pe_http_server pe_http_server;
/// One request, from its request line to the end of its response.
typedef struct pe_http_request pe_http_request;

/// The callbacks of a server. They are called on its threads and must not block.
typedef struct pe_http_handlers {
  void *context;
  /// A connection was accepted, or is about to be closed.
  void (*connection)(void *context, int socket, int is_open);
  /// The headers of a request are complete. Calls `pe_http_respond` to refuse the request before
  /// its body is read, or `pe_http_expect_body` or `pe_http_expect_parts`, or none of them for a
  /// request without a body.
  void (*received)(void *context, pe_http_request *request);
  /// A part of a body was received: `pe_http_body`. The connection is suspended until
  /// `pe_http_continue`, which any thread may call. The last part belongs to the complete request.
  void (*part)(void *context, pe_http_request *request);
  /// The request is complete and its connection is suspended until `pe_http_respond`, which any
  /// thread may call.
  void (*perform)(void *context, pe_http_request *request);
  /// The response was sent, or the connection failed; the request is freed afterwards.
  void (*ended)(void *context, pe_http_request *request);
} pe_http_handlers;

/// The source of a response without a known length.
typedef struct pe_http_stream {
  void *context;
  /// Copies up to `capacity` bytes; returns -1 at the end and -2 if the rest cannot be had, which
  /// ends the connection. Without bytes, calls `pe_http_sleep` and
  /// returns 0; the connection then stays suspended until `pe_http_wake`.
  ssize_t (*read)(void *context, char *buffer, size_t capacity);
} pe_http_stream;

/// Returns a socket that listens on a numeric IPv4 or IPv6 address, or -1 with `errno` set.
int pe_http_listen(const char *address, uint16_t port);
/// Returns a socket that listens on a local path with mode 0600, or -1 with `errno` set.
int pe_http_listen_local(const char *path);
/// Returns a socket connected to a local path, or -1 with `errno` set.
int pe_http_connect_local(const char *path);
/// Returns whether the other end of a local socket has the user identifier of this process.
int pe_http_peer_is_owner(int socket);
/// Returns the port of a listening socket, or 0.
uint16_t pe_http_port(int socket);

/// Starts a server on a listening socket, which it owns from now on; NULL on failure.
pe_http_server *pe_http_start(int socket, pe_http_handlers handlers, unsigned connection_limit,
                              unsigned threads);
/// Stops accepting connections.
void pe_http_quiesce(pe_http_server *server);

/// The parts of a request, valid until its response was sent. The target is the text of the
/// request line, still percent-encoded.
const char *pe_http_method(const pe_http_request *request);
const char *pe_http_target(const pe_http_request *request);
const char *pe_http_version(const pe_http_request *request);
/// The number of bytes from the request line to the empty line after the headers.
size_t pe_http_header_size(const pe_http_request *request);
/// The socket of the request's connection.
int pe_http_socket(const pe_http_request *request);
/// Calls a function for each header field, in order.
void pe_http_each_header(const pe_http_request *request, void *context,
                         void (*field)(void *context, const char *name, size_t name_count,
                                       const char *value, size_t value_count));

/// Reserves memory for a body of a known length; returns 0 without memory.
int pe_http_expect_body(pe_http_request *request, size_t count);
/// Reads the body of a refused request and discards it before the response is sent. Without this,
/// the connection is closed at once, and a client that is still sending may lose the response.
void pe_http_discard_body(pe_http_request *request);
/// Expects a body of a known length that is handed over in parts; returns 0 without memory.
int pe_http_expect_parts(pe_http_request *request, size_t count);
/// Discards the part that was received and continues with the next one.
void pe_http_continue(pe_http_request *request);
/// The body, or its part, that was received.
const uint8_t *pe_http_body(const pe_http_request *request, size_t *count);

/// A value of the caller that belongs to the request.
void pe_http_set_tag(pe_http_request *request, void *tag);
void *pe_http_tag(const pe_http_request *request);

/// Sends a response of bytes, which are copied. `fields` are names and values, alternating.
void pe_http_respond(pe_http_request *request, unsigned status, const char *const *fields,
                     size_t field_count, const void *body, size_t body_count);
/// Sends a part of a file, whose descriptor the server closes.
void pe_http_respond_file(pe_http_request *request, unsigned status, const char *const *fields,
                          size_t field_count, int descriptor, uint64_t offset, uint64_t count);
/// Sends a stream.
void pe_http_respond_stream(pe_http_request *request, unsigned status, const char *const *fields,
                            size_t field_count, pe_http_stream stream);
/// Suspends a stream for which there are no bytes, and continues it.
void pe_http_sleep(pe_http_request *request);
void pe_http_wake(pe_http_request *request);

/// The version of the library, such as "0.9.75".
const char *pe_http_library_version(void);

#endif
