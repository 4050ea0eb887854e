// SPDX-License-Identifier: Apache-2.0
#include "pe_lcms.h"
#include "pe_library.h"
#include <lcms2.h>
#include <lcms2_plugin.h>
#include <stdio.h>
#include <stdlib.h>

_Static_assert(LCMS_VERSION >= 2140, "requires Little CMS 2.14 or newer");

#define TEXT(x) #x
#define VALUE(x) TEXT(x)

const char *pe_lcms_version(void) { return VALUE(LCMS_VERSION); }

_Static_assert(PE_LCMS_MESSAGE_CAPACITY >= PE_LIBRARY_MESSAGE_CAPACITY, "messages are handed on");

#define FUNCTIONS(X)                                                                               \
  X(cmsCreateContext) X(cmsDeleteContext) X(cmsGetContextUserData) X(cmsSetLogErrorHandlerTHR)      \
  X(cmsOpenProfileFromMemTHR)                                                                      \
  X(cmsCloseProfile) X(cmsGetColorSpace) X(cmsCreate_sRGBProfileTHR) X(cmsCreateLab4ProfileTHR)    \
  X(cmsCreateTransformTHR) X(cmsDeleteTransform) X(cmsDoTransform)

static struct {
#define FIELD(name) __typeof__(&name) name;
  FUNCTIONS(FIELD)
#undef FIELD
} lcms;

_Static_assert(PE_LCMS_MESSAGE_CAPACITY >= PE_LIBRARY_MESSAGE_CAPACITY, "a message must fit");

static int32_t load(char *message) {
  const pe_library_symbol symbols[] = {
#define SYMBOL(name) {#name, (void **)&lcms.name},
      FUNCTIONS(SYMBOL)
#undef SYMBOL
  };
  return pe_library_open("liblcms2.so.2", symbols, sizeof symbols / sizeof *symbols, message);
}

struct pe_lcms_transform {
  cmsContext context;
  cmsHTRANSFORM handle;
  /// Indicates whether an allocation failed, which the library does not distinguish from a bad
  /// profile.
  int starved;
};

/// Messages would name positions in the library's source, which are of no use to users.
static void ignore(cmsContext context, cmsUInt32Number code, const char *text) {
  (void)context, (void)code, (void)text;
}

/// The library's own limit for one allocation; only a damaged profile requests more.
#define MOST_AT_ONCE (512u << 20)

static void *grow(cmsContext context, void *memory, cmsUInt32Number size) {
  if (size == 0 || size > MOST_AT_ONCE) return NULL;
  void *grown = realloc(memory, size);
  if (grown == NULL) {
    pe_lcms_transform *made = lcms.cmsGetContextUserData(context);
    if (made != NULL) made->starved = 1;
  }
  return grown;
}

static void *take(cmsContext context, cmsUInt32Number size) { return grow(context, NULL, size); }

static void give(cmsContext context, void *memory) {
  (void)context;
  free(memory);
}

static pe_lcms_code fail(pe_lcms_transform *made, char *message, const char *text) {
  if (made == NULL || made->context == NULL || made->starved) {
    pe_lcms_free(made);
    snprintf(message, PE_LCMS_MESSAGE_CAPACITY, "out of memory");
    return PE_LCMS_OUT_OF_MEMORY;
  }
  pe_lcms_free(made);
  snprintf(message, PE_LCMS_MESSAGE_CAPACITY, "%s", text);
  return PE_LCMS_UNUSABLE;
}

static cmsColorSpaceSignature signature_of(pe_lcms_space space) {
  switch (space) {
  case PE_LCMS_GRAY: return cmsSigGrayData;
  case PE_LCMS_RGB: return cmsSigRgbData;
  case PE_LCMS_CMYK: return cmsSigCmykData;
  default: return cmsSigLabData;
  }
}

static cmsUInt32Number format_of(const pe_lcms_source *source) {
  cmsUInt32Number bytes = BYTES_SH((cmsUInt32Number)source->bytes_per_sample);
  cmsUInt32Number extra = EXTRA_SH(source->has_alpha ? 1u : 0u);
  switch (source->space) {
  case PE_LCMS_GRAY: return COLORSPACE_SH(PT_GRAY) | CHANNELS_SH(1) | extra | bytes;
  case PE_LCMS_RGB: return COLORSPACE_SH(PT_RGB) | CHANNELS_SH(3) | extra | bytes;
  case PE_LCMS_CMYK: return COLORSPACE_SH(PT_CMYK) | CHANNELS_SH(4) | extra | bytes;
  default: return COLORSPACE_SH(PT_Lab) | CHANNELS_SH(3) | extra | bytes;
  }
}

static cmsUInt32Number result_format(const pe_lcms_source *source) {
  switch (source->result) {
  case PE_LCMS_SRGB: return source->has_alpha ? TYPE_RGBA_16 : TYPE_RGB_16;
  case PE_LCMS_SRGB_UNBOUNDED: return TYPE_RGB_FLT;
  default: return TYPE_Lab_DBL;
  }
}

pe_lcms_code pe_lcms_create(
    const pe_lcms_source *source, pe_lcms_transform **transform, char *message) {
  *transform = NULL;
  message[0] = 0;
  if (load(message) != 0) return PE_LCMS_MISSING;
  pe_lcms_transform *made = calloc(1, sizeof *made);
  if (made == NULL) return fail(NULL, message, "");
  // Custom allocators, so that failed allocations are detected. 2000 is the first version that
  // supports them.
  cmsPluginMemHandler memory = {
      .base = {cmsPluginMagicNumber, 2000, cmsPluginMemHandlerSig, NULL},
      .MallocPtr = take,
      .FreePtr = give,
      .ReallocPtr = grow};
  made->context = lcms.cmsCreateContext(&memory, made);
  if (made->context == NULL) return fail(made, message, "");
  if (source->profile_count > UINT32_MAX) return fail(made, message, "it is too large");
  lcms.cmsSetLogErrorHandlerTHR(made->context, ignore);
  cmsHPROFILE from = source->space == PE_LCMS_LAB
      ? lcms.cmsCreateLab4ProfileTHR(made->context, NULL)
      : lcms.cmsOpenProfileFromMemTHR(
            made->context, source->profile, (cmsUInt32Number)source->profile_count);
  if (from == NULL) return fail(made, message, "its structure is damaged");
  int fits = lcms.cmsGetColorSpace(from) == signature_of(source->space);
  cmsHPROFILE to = source->result == PE_LCMS_LAB_VALUES
      ? lcms.cmsCreateLab4ProfileTHR(made->context, NULL)
      : lcms.cmsCreate_sRGBProfileTHR(made->context);
  if (fits && to != NULL) {
    // Replacing all steps by a precomputed grid would be six times as fast, but wrong by up to
    // twenty 8-bit levels in dark CMYK colors.
    cmsUInt32Number flags = cmsFLAGS_NOCACHE | cmsFLAGS_NOOPTIMIZE;
    if (!source->keeps_black) flags |= cmsFLAGS_BLACKPOINTCOMPENSATION;
    if (source->has_alpha) flags |= cmsFLAGS_COPY_ALPHA;
    made->handle = lcms.cmsCreateTransformTHR(
        made->context, from, format_of(source), to, result_format(source),
        INTENT_RELATIVE_COLORIMETRIC, flags);
  }
  lcms.cmsCloseProfile(from);
  if (to != NULL) lcms.cmsCloseProfile(to);
  if (!fits) return fail(made, message, "its color space does not match the image");
  if (made->handle == NULL) return fail(made, message, "it cannot be converted to sRGB");
  *transform = made;
  return PE_LCMS_OK;
}

void pe_lcms_convert(
    const pe_lcms_transform *transform, const void *in, void *out, uint32_t count) {
  lcms.cmsDoTransform(transform->handle, in, out, count);
}

void pe_lcms_free(pe_lcms_transform *transform) {
  if (transform == NULL) return;
  if (transform->handle != NULL) lcms.cmsDeleteTransform(transform->handle);
  if (transform->context != NULL) lcms.cmsDeleteContext(transform->context);
  free(transform);
}
