// SPDX-License-Identifier: Apache-2.0
#include "pe_expat.h"
#include <expat.h>
#include <limits.h>

_Static_assert(XML_MAJOR_VERSION * 100 + XML_MINOR_VERSION >= 205, "requires Expat 2.5 or newer");

typedef struct {
  const pe_expat_handlers *handlers;
  XML_Parser parser;
  int has_doctype;
} pe_expat_state;

static size_t current_line(XML_Parser parser) {
#if XML_MAJOR_VERSION > 2 || (XML_MAJOR_VERSION == 2 && XML_MINOR_VERSION >= 9)
  return (size_t)XML_GetCurrentLineNumber64(parser);
#else
  return (size_t)XML_GetCurrentLineNumber(parser);
#endif
}

static void on_start(void *data, const XML_Char *name, const XML_Char **attributes) {
  pe_expat_state *state = data;
  if (state->handlers->start(state->handlers->context, name, (const char *const *)attributes,
                             current_line(state->parser)) != 0) {
    XML_StopParser(state->parser, XML_FALSE);
  }
}

static void on_end(void *data, const XML_Char *name) {
  pe_expat_state *state = data;
  if (state->handlers->end(state->handlers->context, name, current_line(state->parser)) != 0) {
    XML_StopParser(state->parser, XML_FALSE);
  }
}

static void on_text(void *data, const XML_Char *text, int count) {
  pe_expat_state *state = data;
  if (state->handlers->text(state->handlers->context, text, (size_t)count,
                            current_line(state->parser)) != 0) {
    XML_StopParser(state->parser, XML_FALSE);
  }
}

static void on_doctype(void *data, const XML_Char *name, const XML_Char *system,
                       const XML_Char *public, int has_subset) {
  (void)name, (void)system, (void)public, (void)has_subset;
  pe_expat_state *state = data;
  state->has_doctype = 1;
  XML_StopParser(state->parser, XML_FALSE);
}

int pe_expat_parse(const uint8_t *bytes, size_t count, const pe_expat_handlers *handlers,
                   size_t *line, const char **message) {
  *line = 1;
  *message = "";
  if (count > INT_MAX) return PE_EXPAT_NO_MEMORY;
  XML_Parser parser = XML_ParserCreate(NULL);
  if (parser == NULL) return PE_EXPAT_NO_MEMORY;
  pe_expat_state state = {handlers, parser, 0};
  XML_SetUserData(parser, &state);
  XML_SetElementHandler(parser, on_start, on_end);
  XML_SetCharacterDataHandler(parser, on_text);
  XML_SetStartDoctypeDeclHandler(parser, on_doctype);
  int status = PE_EXPAT_OK;
  if (XML_Parse(parser, (const char *)bytes, (int)count, XML_TRUE) != XML_STATUS_OK) {
    enum XML_Error error = XML_GetErrorCode(parser);
    *message = XML_ErrorString(error);
    status = state.has_doctype              ? PE_EXPAT_DOCTYPE
             : error == XML_ERROR_ABORTED   ? PE_EXPAT_STOPPED
             : error == XML_ERROR_NO_MEMORY ? PE_EXPAT_NO_MEMORY
                                            : PE_EXPAT_MALFORMED;
  }
  *line = current_line(parser);
  XML_ParserFree(parser);
  return status;
}

const char *pe_expat_version(void) { return XML_ExpatVersion(); }
