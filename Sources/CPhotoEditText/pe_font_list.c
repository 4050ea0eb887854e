// SPDX-License-Identifier: Apache-2.0
#include "pe_text.h"
#include "pe_text_library.h"
#include <stdlib.h>
#include <string.h>

// MARK: Installed fonts

struct pe_font_list {
  FcPattern *requested;
  FcFontSet *found;
  /// The entries that can be used.
  FcPattern **entries;
  int32_t count;
};

static int is_usable(FcPattern *font) {
  FcChar8 *format, *path;
  FcBool is_instance = FcFalse, is_scalable = FcFalse;
  if (pe_text.FcPatternGetString(font, FC_FILE, 0, &path) != FcResultMatch) return 0;
  // The instances of a variable font are the same file.
  if (pe_text.FcPatternGetBool(font, FC_VARIABLE, 0, &is_instance) == FcResultMatch && is_instance)
    return 0;
  // Fonts with colored bitmaps count as scalable.
  if (pe_text.FcPatternGetBool(font, FC_SCALABLE, 0, &is_scalable) != FcResultMatch || !is_scalable)
    return 0;
  return pe_text.FcPatternGetString(font, FC_FONTFORMAT, 0, &format) == FcResultMatch &&
         (strcmp((const char *)format, "TrueType") == 0 || strcmp((const char *)format, "CFF") == 0);
}

/// Returns whether characters were added to the pattern.
static int add_characters(FcPattern *pattern, const uint32_t *characters, size_t count) {
  FcCharSet *set = pe_text.FcCharSetCreate();
  if (set == NULL) return 0;
  for (size_t i = 0; i < count; i++) pe_text.FcCharSetAddChar(set, characters[i]);
  FcBool added = pe_text.FcPatternAddCharSet(pattern, FC_CHARSET, set);
  pe_text.FcCharSetDestroy(set);
  return added;
}

pe_text_code pe_font_list_find(
    const char *text, const uint32_t *characters, size_t count, int32_t prefers_color,
    pe_font_list **result) {
  *result = NULL;
  if (!pe_text.FcInit()) return PE_TEXT_DAMAGED;
  pe_font_list *list = calloc(1, sizeof *list);
  if (list == NULL) return PE_TEXT_OUT_OF_MEMORY;
  list->requested = pe_text.FcNameParse((const FcChar8 *)text);
  FcPattern *pattern = list->requested != NULL ? pe_text.FcNameParse((const FcChar8 *)text) : NULL;
  int is_ready = pattern != NULL && (count == 0 || add_characters(pattern, characters, count)) &&
                 (!prefers_color || pe_text.FcPatternAddBool(pattern, FC_COLOR, FcTrue)) &&
                 pe_text.FcConfigSubstitute(NULL, pattern, FcMatchPattern);
  if (is_ready) {
    pe_text.FcDefaultSubstitute(pattern);
    FcResult status;
    list->found = pe_text.FcFontSort(NULL, pattern, FcFalse, NULL, &status);
  }
  if (pattern != NULL) pe_text.FcPatternDestroy(pattern);
  const int found = list->found != NULL ? list->found->nfont : 0;
  list->entries = calloc(found > 0 ? (size_t)found : 1, sizeof *list->entries);
  if (!is_ready || list->entries == NULL) {
    pe_font_list_free(list);
    return is_ready ? PE_TEXT_OUT_OF_MEMORY : PE_TEXT_DAMAGED;
  }
  for (int i = 0; i < found; i++)
    if (is_usable(list->found->fonts[i])) list->entries[list->count++] = list->found->fonts[i];
  *result = list;
  return PE_TEXT_OK;
}

void pe_font_list_free(pe_font_list *list) {
  if (list == NULL) return;
  if (list->requested != NULL) pe_text.FcPatternDestroy(list->requested);
  if (list->found != NULL) pe_text.FcFontSetDestroy(list->found);
  free(list->entries);
  free(list);
}

int32_t pe_font_list_count(const pe_font_list *list) { return list->count; }

pe_font_entry pe_font_list_entry(const pe_font_list *list, int32_t index) {
  FcPattern *font = list->entries[index];
  FcChar8 *path = NULL, *family = NULL;
  FcBool is_colored = FcFalse;
  int face = 0;
  pe_text.FcPatternGetString(font, FC_FILE, 0, &path);
  pe_text.FcPatternGetString(font, FC_FAMILY, 0, &family);
  pe_text.FcPatternGetInteger(font, FC_INDEX, 0, &face);
  pe_text.FcPatternGetBool(font, FC_COLOR, 0, &is_colored);
  // The upper bits are the number of an instance of a variable font.
  return (pe_font_entry){(const char *)path, family != NULL ? (const char *)family : "",
                         face & 0xffff, is_colored};
}

int32_t pe_font_list_has(const pe_font_list *list, int32_t index, uint32_t character) {
  FcCharSet *set;
  return pe_text.FcPatternGetCharSet(list->entries[index], FC_CHARSET, 0, &set) == FcResultMatch &&
         pe_text.FcCharSetHasChar(set, character);
}

int32_t pe_font_list_is_named(const pe_font_list *list, int32_t index) {
  FcChar8 *requested, *name;
  if (pe_text.FcPatternGetString(list->requested, FC_FAMILY, 0, &requested) != FcResultMatch) return 1;
  for (int i = 0;
       pe_text.FcPatternGetString(list->entries[index], FC_FAMILY, i, &name) == FcResultMatch; i++)
    if (pe_text.FcStrCmpIgnoreCase(requested, name) == 0) return 1;
  return 0;
}

// MARK: Subsets

static hb_face_t *subset(hb_face_t *face, const uint32_t *characters, size_t count) {
  hb_subset_input_t *input = pe_text.hb_subset_input_create_or_fail();
  if (input == NULL) return NULL;
  hb_set_t *set = pe_text.hb_subset_input_unicode_set(input);
  for (size_t i = 0; i < count; i++) pe_text.hb_set_add(set, characters[i]);
  // Glyphs are drawn without hints.
  pe_text.hb_subset_input_set_flags(input, HB_SUBSET_FLAGS_NO_HINTING);
  hb_face_t *result = pe_text.hb_subset_or_fail(face, input);
  pe_text.hb_subset_input_destroy(input);
  return result;
}

pe_text_code pe_font_subset(
    const uint8_t *bytes, size_t count, int32_t index, const uint32_t *characters,
    size_t character_count, uint8_t **result, size_t *result_count) {
  *result = NULL;
  *result_count = 0;
  if (count > UINT32_MAX) return PE_TEXT_DAMAGED;
  hb_blob_t *blob = pe_text.hb_blob_create(
      (const char *)bytes, (unsigned)count, HB_MEMORY_MODE_READONLY, NULL, NULL);
  hb_face_t *face = pe_text.hb_face_create(blob, (unsigned)index);
  pe_text.hb_blob_destroy(blob);
  hb_face_t *small = pe_text.hb_face_get_glyph_count(face) > 0
                         ? subset(face, characters, character_count)
                         : NULL;
  pe_text.hb_face_destroy(face);
  if (small == NULL) return PE_TEXT_DAMAGED;
  hb_blob_t *made = pe_text.hb_face_reference_blob(small);
  pe_text.hb_face_destroy(small);
  unsigned length = 0;
  const char *data = pe_text.hb_blob_get_data(made, &length);
  pe_text_code code = length > 0 ? PE_TEXT_OK : PE_TEXT_DAMAGED;
  if (code == PE_TEXT_OK) {
    *result = malloc(length);
    if (*result == NULL) {
      code = PE_TEXT_OUT_OF_MEMORY;
    } else {
      memcpy(*result, data, length);
      *result_count = length;
    }
  }
  pe_text.hb_blob_destroy(made);
  return code;
}
