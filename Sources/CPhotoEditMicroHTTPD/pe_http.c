// SPDX-License-Identifier: Apache-2.0
#include "pe_http.h"

#include <microhttpd.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(MHD_VERSION >= 0x00097500, "requires GNU libmicrohttpd 0.9.75 or newer");

struct pe_http_server {
  struct MHD_Daemon *daemon;
  pe_http_handlers handlers;
};

// The size of the parts of a body that is not kept.
enum { PE_PART = 256 << 10 };

typedef enum { PE_STARTED, PE_RECEIVED, PE_WORKING, PE_ANSWERED } pe_http_state;

struct pe_http_request {
  struct MHD_Connection *connection;
  char *target;
  const char *method;
  const char *version;
  uint8_t *body;
  size_t body_count;
  size_t body_capacity;
  int discards_body;
  int has_parts;
  struct MHD_Response *response;
  unsigned status;
  pe_http_state state;
  pe_http_stream stream;
  void *tag;
};

// The first call for a request, with its target before any decoding.
static void *begin_request(void *context, const char *target, struct MHD_Connection *connection) {
  (void)context;
  pe_http_request *request = calloc(1, sizeof *request);
  if (!request) return NULL;
  request->connection = connection;
  request->target = strdup(target);
  return request;
}

static enum MHD_Result queue(pe_http_request *request) {
  request->state = PE_ANSWERED;
  return MHD_queue_response(request->connection, request->status, request->response);
}

static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *upload,
                              size_t *upload_count, void **slot) {
  (void)url;
  pe_http_server *server = context;
  pe_http_request *request = *slot;
  if (!request || !request->target) return MHD_NO;
  switch (request->state) {
  case PE_STARTED:
    request->connection = connection;
    request->method = method;
    request->version = version;
    request->state = PE_RECEIVED;
    server->handlers.received(server->handlers.context, request);
    // Before its body is read, a refused request closes its connection.
    return request->response && !request->discards_body ? queue(request) : MHD_YES;
  case PE_RECEIVED:
    if (request->response) {
      if (*upload_count == 0) return queue(request);
      *upload_count = 0;
      return MHD_YES;
    }
    if (*upload_count > 0) {
      size_t count = request->body_capacity - request->body_count;
      if (*upload_count <= count)
        count = *upload_count;
      else if (!request->has_parts)
        return MHD_NO;
      memcpy(request->body + request->body_count, upload, count);
      request->body_count += count;
      *upload_count -= count;
      if (request->has_parts && request->body_count == request->body_capacity) {
        MHD_suspend_connection(connection);
        server->handlers.part(server->handlers.context, request);
      }
      return MHD_YES;
    }
    request->state = PE_WORKING;
    MHD_suspend_connection(connection);
    server->handlers.perform(server->handlers.context, request);
    return MHD_YES;
  case PE_WORKING:
    return request->response ? queue(request) : MHD_NO;
  default:
    return MHD_YES;
  }
}

static void end_request(void *context, struct MHD_Connection *connection, void **slot,
                        enum MHD_RequestTerminationCode code) {
  (void)connection;
  (void)code;
  pe_http_server *server = context;
  pe_http_request *request = *slot;
  *slot = NULL;
  if (!request) return;
  server->handlers.ended(server->handlers.context, request);
  if (request->response) MHD_destroy_response(request->response);
  free(request->target);
  free(request->body);
  free(request);
}

static void notify_connection(void *context, struct MHD_Connection *connection, void **slot,
                              enum MHD_ConnectionNotificationCode code) {
  (void)slot;
  pe_http_server *server = context;
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  if (info)
    server->handlers.connection(server->handlers.context, info->connect_fd,
                                code == MHD_CONNECTION_NOTIFY_STARTED);
}

// Paths stay encoded; the server decodes them after it has checked them.
static size_t keep_encoded(void *context, struct MHD_Connection *connection, char *text) {
  (void)context;
  (void)connection;
  return strlen(text);
}

pe_http_server *pe_http_start(int socket, pe_http_handlers handlers, unsigned connection_limit,
                              unsigned threads) {
  pe_http_server *server = calloc(1, sizeof *server);
  if (!server) return NULL;
  server->handlers = handlers;
  unsigned flags = MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME;
  server->daemon = MHD_start_daemon(
      flags, 0, NULL, NULL, handle, server, MHD_OPTION_LISTEN_SOCKET, (MHD_socket)socket,
      MHD_OPTION_THREAD_POOL_SIZE, threads, MHD_OPTION_CONNECTION_LIMIT, connection_limit,
      MHD_OPTION_CONNECTION_TIMEOUT, 60u, MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)65536,
      MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_URI_LOG_CALLBACK, begin_request, NULL,
      MHD_OPTION_UNESCAPE_CALLBACK, keep_encoded, NULL, MHD_OPTION_NOTIFY_COMPLETED, end_request,
      server, MHD_OPTION_NOTIFY_CONNECTION, notify_connection, server, MHD_OPTION_END);
  if (server->daemon) return server;
  free(server);
  return NULL;
}

void pe_http_quiesce(pe_http_server *server) { MHD_quiesce_daemon(server->daemon); }

const char *pe_http_method(const pe_http_request *request) { return request->method; }
const char *pe_http_target(const pe_http_request *request) { return request->target; }
const char *pe_http_version(const pe_http_request *request) { return request->version; }

size_t pe_http_header_size(const pe_http_request *request) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(request->connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
  return info ? info->header_size : 0;
}

int pe_http_socket(const pe_http_request *request) {
  const union MHD_ConnectionInfo *info =
      MHD_get_connection_info(request->connection, MHD_CONNECTION_INFO_CONNECTION_FD);
  return info ? info->connect_fd : -1;
}

struct each {
  void *context;
  void (*field)(void *context, const char *name, size_t name_count, const char *value,
                size_t value_count);
};

static enum MHD_Result each_field(void *context, enum MHD_ValueKind kind, const char *name,
                                  size_t name_count, const char *value, size_t value_count) {
  (void)kind;
  struct each *each = context;
  each->field(each->context, name, name_count, value ? value : "", value ? value_count : 0);
  return MHD_YES;
}

void pe_http_each_header(const pe_http_request *request, void *context,
                         void (*field)(void *context, const char *name, size_t name_count,
                                       const char *value, size_t value_count)) {
  struct each each = {context, field};
  MHD_get_connection_values_n(request->connection, MHD_HEADER_KIND, each_field, &each);
}

int pe_http_expect_body(pe_http_request *request, size_t count) {
  request->body = malloc(count ? count : 1);
  request->body_capacity = request->body ? count : 0;
  return request->body != NULL;
}

void pe_http_discard_body(pe_http_request *request) { request->discards_body = 1; }

int pe_http_expect_parts(pe_http_request *request, size_t count) {
  request->has_parts = 1;
  return pe_http_expect_body(request, count < PE_PART ? count : PE_PART);
}

void pe_http_continue(pe_http_request *request) {
  request->body_count = 0;
  MHD_resume_connection(request->connection);
}

const uint8_t *pe_http_body(const pe_http_request *request, size_t *count) {
  *count = request->body_count;
  return request->body;
}

void pe_http_set_tag(pe_http_request *request, void *tag) { request->tag = tag; }
void *pe_http_tag(const pe_http_request *request) { return request->tag; }

// Adds the header fields and hands the response to the connection's thread.
static void respond(pe_http_request *request, unsigned status, const char *const *fields,
                    size_t field_count, struct MHD_Response *response) {
  if (response)
    for (size_t i = 0; i + 1 < field_count; i += 2)
      (void)MHD_add_response_header(response, fields[i], fields[i + 1]);
  request->response = response;
  request->status = status;
  if (request->state == PE_WORKING) MHD_resume_connection(request->connection);
}

void pe_http_respond(pe_http_request *request, unsigned status, const char *const *fields,
                     size_t field_count, const void *body, size_t body_count) {
  struct MHD_Response *response =
      MHD_create_response_from_buffer(body_count, (void *)body, MHD_RESPMEM_MUST_COPY);
  respond(request, status, fields, field_count, response);
}

void pe_http_respond_file(pe_http_request *request, unsigned status, const char *const *fields,
                          size_t field_count, int descriptor, uint64_t offset, uint64_t count) {
  respond(request, status, fields, field_count,
          MHD_create_response_from_fd_at_offset64(count, descriptor, offset));
}

static ssize_t read_stream(void *context, uint64_t position, char *buffer, size_t capacity) {
  (void)position;
  pe_http_request *request = context;
  ssize_t count = request->stream.read(request->stream.context, buffer, capacity);
  if (count >= 0) return count;
  return count == -1 ? MHD_CONTENT_READER_END_OF_STREAM : MHD_CONTENT_READER_END_WITH_ERROR;
}

void pe_http_respond_stream(pe_http_request *request, unsigned status, const char *const *fields,
                            size_t field_count, pe_http_stream stream) {
  request->stream = stream;
  respond(request, status, fields, field_count,
          MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 65536, read_stream, request, NULL));
}

void pe_http_sleep(pe_http_request *request) { MHD_suspend_connection(request->connection); }
void pe_http_wake(pe_http_request *request) { MHD_resume_connection(request->connection); }

const char *pe_http_library_version(void) { return MHD_get_version(); }
