// SPDX-License-Identifier: Apache-2.0
#include "pe_jpeg_internal.h"
#include <stdlib.h>
#include <string.h>

void pe_jpeg_exit(j_common_ptr codec) {
  pe_jpeg_errors *errors = (pe_jpeg_errors *)codec->err;
  errors->base.format_message(codec, errors->message);
  if (errors->status == PE_JPEG_OK) errors->status = PE_JPEG_ERROR;
  longjmp(errors->way_back, 1);
}

void pe_jpeg_silence(j_common_ptr codec) { (void)codec; }

// Warnings after which samples are as the encoder meant them: stray bytes that the decoder skips
// between segments, and header fields that it does not need.
static int is_harmless(int code) {
  switch (code) {
    case JWRN_ADOBE_XFORM:
    case JWRN_EXTRANEOUS_DATA:
    case JWRN_JFIF_MAJOR:
    case JWRN_TOO_MUCH_DATA:
    case JWRN_BOGUS_ICC:
      return 1;
    default:
      return 0;
  }
}

static void note_damage(pe_jpeg_decoder *decoder) {
  if (decoder->real_rows >= 0) return;
  struct jpeg_decompress_struct *codec = &decoder->codec;
  // Fancy upsampling looks one row of samples ahead, so the last delivered MCU row counts as hit.
  int mcu_rows = codec->max_v_samp_factor * DCTSIZE;
  int rows = (int)codec->output_scanline - mcu_rows;
  decoder->real_rows = rows < 0 || mcu_rows <= 0 ? 0 : rows / mcu_rows * mcu_rows;
}

static void on_message(j_common_ptr common, int level) {
  // A transform's writer shares this manager; it has no decoder behind it.
  if (level >= 0 || !common->is_decompressor) return;
  pe_jpeg_decoder *decoder = (pe_jpeg_decoder *)common;
  int code = common->err->msg_code;
  common->err->num_warnings++;
  int damage = !is_harmless(code);
  if (damage) note_damage(decoder);
  for (int i = 0; i < decoder->warning_count; i++)
    if (decoder->warning_codes[i] == code) return;
  if (decoder->warning_count == PE_JPEG_WARNINGS) return;
  char text[JMSG_LENGTH_MAX];
  common->err->format_message(common, text);
  pe_jpeg_warning *warning = &decoder->warnings[decoder->warning_count];
  snprintf(warning->message, sizeof warning->message, "%s", text);
  warning->is_damage = damage;
  decoder->warning_codes[decoder->warning_count++] = code;
}

// A progressive file may repeat scans without end; each one costs as much as the whole picture.
static void on_progress(j_common_ptr common) {
  pe_jpeg_decoder *decoder = (pe_jpeg_decoder *)common;
  if (decoder->codec.input_scan_number <= decoder->maximum_scans) return;
  decoder->errors.status = PE_JPEG_TOO_MANY_SCANS;
  longjmp(decoder->errors.way_back, 1);
}

pe_jpeg_decoder *pe_jpeg_decoder_create(const uint8_t *bytes, size_t count, int maximum_scans) {
  pe_jpeg_decoder *decoder = calloc(1, sizeof *decoder);
  if (decoder == NULL) return NULL;
  decoder->bytes = bytes;
  decoder->count = count;
  decoder->maximum_scans = maximum_scans;
  decoder->real_rows = -1;
  decoder->codec.err = jpeg_std_error(&decoder->errors.base);
  decoder->errors.base.error_exit = pe_jpeg_exit;
  decoder->errors.base.emit_message = on_message;
  decoder->errors.base.output_message = pe_jpeg_silence;
  if (setjmp(decoder->errors.way_back)) {
    jpeg_destroy_decompress(&decoder->codec);
    free(decoder);
    return NULL;
  }
  jpeg_create_decompress(&decoder->codec);
  decoder->progress.progress_monitor = on_progress;
  decoder->codec.progress = &decoder->progress;
  return decoder;
}

void pe_jpeg_decoder_destroy(pe_jpeg_decoder *decoder) {
  if (decoder == NULL) return;
  if (!setjmp(decoder->errors.way_back)) jpeg_destroy_decompress(&decoder->codec);
  free(decoder);
}

const char *pe_jpeg_decoder_message(const pe_jpeg_decoder *decoder) {
  return decoder->errors.message;
}

static int color(J_COLOR_SPACE space) {
  switch (space) {
    case JCS_GRAYSCALE: return PE_JPEG_GRAY;
    case JCS_RGB: return PE_JPEG_RGB;
    case JCS_YCbCr: return PE_JPEG_YCBCR;
    case JCS_CMYK: return PE_JPEG_CMYK;
    case JCS_YCCK: return PE_JPEG_YCCK;
    default: return PE_JPEG_OTHER;
  }
}

void pe_jpeg_current_info(const pe_jpeg_decoder *decoder, pe_jpeg_info *info) {
  const struct jpeg_decompress_struct *codec = &decoder->codec;
  memset(info, 0, sizeof *info);
  info->width = (int)codec->image_width;
  info->height = (int)codec->image_height;
  info->component_count = codec->num_components;
  info->color = color(codec->jpeg_color_space);
  for (int i = 0; i < codec->num_components && i < PE_JPEG_COMPONENTS; i++) {
    const jpeg_component_info *component = &codec->comp_info[i];
    info->components[i].identifier = component->component_id;
    info->components[i].h = component->h_samp_factor;
    info->components[i].v = component->v_samp_factor;
    info->components[i].table = component->quant_tbl_no;
    const JQUANT_TBL *table = component->quant_table;
    if (table == NULL && component->quant_tbl_no >= 0 && component->quant_tbl_no < NUM_QUANT_TBLS)
      table = codec->quant_tbl_ptrs[component->quant_tbl_no];
    if (table != NULL) memcpy(info->tables[i], table->quantval, sizeof info->tables[i]);
  }
  info->progressive = codec->progressive_mode;
  info->arithmetic = codec->arith_code;
  info->restart_interval = (int)codec->restart_interval;
  info->has_adobe = codec->saw_Adobe_marker;
  info->has_jfif = codec->saw_JFIF_marker;
  info->density_unit = codec->density_unit;
  info->density_x = codec->X_density;
  info->density_y = codec->Y_density;
}

int pe_jpeg_read_header(pe_jpeg_decoder *decoder, pe_jpeg_info *info) {
  if (setjmp(decoder->errors.way_back)) return decoder->errors.status;
  jpeg_mem_src(&decoder->codec, decoder->bytes, (unsigned long)decoder->count);
  jpeg_read_header(&decoder->codec, TRUE);
  pe_jpeg_current_info(decoder, info);
  return PE_JPEG_OK;
}

int pe_jpeg_start(pe_jpeg_decoder *decoder, int channels) {
  if (setjmp(decoder->errors.way_back)) return decoder->errors.status;
  decoder->codec.out_color_space =
    channels == 1 ? JCS_GRAYSCALE : channels == 3 ? JCS_RGB : JCS_CMYK;
  decoder->codec.dct_method = JDCT_ISLOW;
  jpeg_start_decompress(&decoder->codec);
  return PE_JPEG_OK;
}

int pe_jpeg_read_rows(pe_jpeg_decoder *decoder, uint8_t *rows, size_t stride, int count) {
  if (setjmp(decoder->errors.way_back)) return decoder->errors.status;
  struct jpeg_decompress_struct *codec = &decoder->codec;
  int done = 0;
  while (done < count && codec->output_scanline < codec->output_height) {
    JSAMPROW pointers[16];
    int wanted = count - done < 16 ? count - done : 16;
    for (int i = 0; i < wanted; i++) pointers[i] = rows + (size_t)(done + i) * stride;
    int got = (int)jpeg_read_scanlines(codec, pointers, (JDIMENSION)wanted);
    if (got == 0) break;
    done += got;
  }
  // Reading on to the end marker finds a file that stops right behind its last sample.
  if (done > 0 && codec->output_scanline == codec->output_height) jpeg_finish_decompress(codec);
  return done;
}

int pe_jpeg_real_rows(const pe_jpeg_decoder *decoder) {
  return decoder->real_rows < 0 ? (int)decoder->codec.image_height : decoder->real_rows;
}

int pe_jpeg_warnings(const pe_jpeg_decoder *decoder, const pe_jpeg_warning **warnings) {
  *warnings = decoder->warnings;
  return decoder->warning_count;
}

int pe_jpeg_coefficients(pe_jpeg_decoder *decoder, int component, int16_t **values,
                         size_t *blocks_across, size_t *blocks_down) {
  int16_t *volatile copy = NULL;
  if (setjmp(decoder->errors.way_back)) {
    free(copy);
    return decoder->errors.status;
  }
  struct jpeg_decompress_struct *codec = &decoder->codec;
  jvirt_barray_ptr *arrays = jpeg_read_coefficients(codec);
  if (component >= codec->num_components) return PE_JPEG_ERROR;
  const jpeg_component_info *info = &codec->comp_info[component];
  size_t across = info->width_in_blocks, down = info->height_in_blocks;
  copy = malloc(across * down * sizeof(JBLOCK) + 1);
  if (copy == NULL) return PE_JPEG_ERROR;
  for (size_t y = 0; y < down; y++) {
    JBLOCKARRAY rows = (*codec->mem->access_virt_barray)((j_common_ptr)codec, arrays[component],
                                                         (JDIMENSION)y, 1, FALSE);
    memcpy(copy + y * across * DCTSIZE2, rows[0], across * sizeof(JBLOCK));
  }
  *values = copy;
  *blocks_across = across;
  *blocks_down = down;
  return PE_JPEG_OK;
}

void pe_jpeg_free_coefficients(int16_t *values) { free(values); }

#define TEXT_OF(token) #token
#define TEXT(token) TEXT_OF(token)

const char *pe_jpeg_version(void) { return TEXT(LIBJPEG_TURBO_VERSION); }
