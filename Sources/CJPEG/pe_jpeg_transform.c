// SPDX-License-Identifier: Apache-2.0
// Turns, mirrors, crops and grays a JPEG by moving its DCT blocks.
//
// Mirroring a block negates its odd frequencies along that axis, transposing swaps its two axes;
// a turn is both. See ITU-T T.81 A.3.3 for the DCT that these identities follow from.
#include "pe_jpeg_internal.h"
#include <stdlib.h>
#include <string.h>

typedef struct {
  struct jpeg_compress_struct codec;
  unsigned char *bytes;
  unsigned long count;
} writer;

/// Where each coefficient of a turned block comes from, and with which sign.
static void block_map(const pe_jpeg_transform *t, int from[64], int sign[64]) {
  int transposed = t->xx == 0;
  int mirrored_x = t->xx + t->xy < 0, mirrored_y = t->yx + t->yy < 0;
  for (int v = 0; v < 8; v++)
    for (int u = 0; u < 8; u++) {
      int stored_u = transposed ? v : u, stored_v = transposed ? u : v;
      from[v * 8 + u] = stored_v * 8 + stored_u;
      sign[v * 8 + u] = ((mirrored_x ? stored_u : 0) + (mirrored_y ? stored_v : 0)) & 1 ? -1 : 1;
    }
}

static void copy_component(j_decompress_ptr in, j_compress_ptr out, jvirt_barray_ptr source,
                           jvirt_barray_ptr target, const jpeg_component_info *from,
                           const jpeg_component_info *to, const pe_jpeg_transform *t,
                           int (*is_cancelled)(void *), void *context, pe_jpeg_errors *errors) {
  int map[64], sign[64];
  block_map(t, map, sign);
  // The kept part in blocks of this component; its far end may lie inside the last block.
  int unit_x = in->max_h_samp_factor * DCTSIZE, unit_y = in->max_v_samp_factor * DCTSIZE;
  int first_x = t->crop_x / unit_x * from->h_samp_factor;
  int first_y = t->crop_y / unit_y * from->v_samp_factor;
  int end_x = (t->crop_x + t->crop_width) / unit_x * from->h_samp_factor;
  int end_y = (t->crop_y + t->crop_height) / unit_y * from->v_samp_factor;
  int mirrored_x = t->xx + t->xy < 0, mirrored_y = t->yx + t->yy < 0;
  int is_plain = t->xx == 1 && t->yy == 1;
  for (JDIMENSION y = 0; y < to->height_in_blocks; y++) {
    if (is_cancelled != NULL && is_cancelled(context)) {
      errors->status = PE_JPEG_CANCELLED;
      longjmp(errors->way_back, 1);
    }
    JBLOCKROW row = (*out->mem->access_virt_barray)((j_common_ptr)out, target, y, 1, TRUE)[0];
    for (JDIMENSION x = 0; x < to->width_in_blocks; x++) {
      int sx = t->xx != 0 ? (int)x : (int)y, sy = t->xx != 0 ? (int)y : (int)x;
      sx = mirrored_x ? end_x - 1 - sx : first_x + sx;
      sy = mirrored_y ? end_y - 1 - sy : first_y + sy;
      if (sx < 0 || sy < 0 || sx >= (int)from->width_in_blocks ||
          sy >= (int)from->height_in_blocks) {
        memset(row[x], 0, sizeof(JBLOCK));
        continue;
      }
      JBLOCKROW stored =
        (*in->mem->access_virt_barray)((j_common_ptr)in, source, (JDIMENSION)sy, 1, FALSE)[0];
      if (is_plain) {
        memcpy(row[x], stored[sx], sizeof(JBLOCK));
      } else {
        for (int k = 0; k < DCTSIZE2; k++)
          row[x][k] = (JCOEF)(sign[k] * stored[sx][map[k]]);
      }
    }
  }
}

static void zero_component(j_compress_ptr out, jvirt_barray_ptr target,
                           const jpeg_component_info *to) {
  for (JDIMENSION y = 0; y < to->height_in_blocks; y++) {
    JBLOCKROW row = (*out->mem->access_virt_barray)((j_common_ptr)out, target, y, 1, TRUE)[0];
    memset(row, 0, to->width_in_blocks * sizeof(JBLOCK));
  }
}

static void copy_tables(j_decompress_ptr in, j_compress_ptr out, int count, int transposed) {
  for (int i = 0; i < count; i++) {
    const jpeg_component_info *from = &in->comp_info[i];
    const JQUANT_TBL *table =
      from->quant_table != NULL ? from->quant_table : in->quant_tbl_ptrs[from->quant_tbl_no];
    unsigned int values[64];
    for (int k = 0; k < 64; k++)
      values[k] = table->quantval[transposed ? (k % 8) * 8 + k / 8 : k];
    jpeg_add_quant_table(out, i == 0 ? 0 : 1, values, 100, FALSE);
  }
}

static void set_up(j_decompress_ptr in, j_compress_ptr out, const pe_jpeg_transform *t) {
  int transposed = t->xx == 0;
  int is_gray = in->num_components == 1 || t->chroma == PE_JPEG_DROP_CHROMA;
  out->image_width = (JDIMENSION)(transposed ? t->crop_height : t->crop_width);
  out->image_height = (JDIMENSION)(transposed ? t->crop_width : t->crop_height);
  out->input_components = is_gray ? 1 : 3;
  out->in_color_space = is_gray ? JCS_GRAYSCALE : JCS_YCbCr;
  jpeg_set_defaults(out);
  copy_tables(in, out, out->num_components, transposed);
  for (int i = 0; i < out->num_components; i++) {
    const jpeg_component_info *from = &in->comp_info[i];
    jpeg_component_info *to = &out->comp_info[i];
    // A single component has no sampling relative to others.
    to->h_samp_factor = is_gray ? 1 : transposed ? from->v_samp_factor : from->h_samp_factor;
    to->v_samp_factor = is_gray ? 1 : transposed ? from->h_samp_factor : from->v_samp_factor;
  }
  out->restart_in_rows = 1;
  out->write_JFIF_header = FALSE;
  out->write_Adobe_marker = FALSE;
}

/// Rounds up.
static JDIMENSION units(JDIMENSION length, int unit) {
  return (length + (JDIMENSION)unit - 1) / (JDIMENSION)unit;
}

static void run(pe_jpeg_decoder *decoder, writer *w, const pe_jpeg_transform *t,
                int (*is_cancelled)(void *), void *context) {
  j_decompress_ptr in = &decoder->codec;
  j_compress_ptr out = &w->codec;
  jvirt_barray_ptr *sources = jpeg_read_coefficients(in);
  set_up(in, out, t);
  jpeg_mem_dest(out, &w->bytes, &w->count);
  int is_whole = t->xx == 1 && t->yy == 1 && t->crop_x == 0 && t->crop_y == 0 &&
                 t->crop_width == (int)in->image_width && t->crop_height == (int)in->image_height;
  jvirt_barray_ptr targets[PE_JPEG_COMPONENTS] = {0};
  int h = 1, v = 1;
  for (int i = 0; i < out->num_components; i++) {
    if (out->comp_info[i].h_samp_factor > h) h = out->comp_info[i].h_samp_factor;
    if (out->comp_info[i].v_samp_factor > v) v = out->comp_info[i].v_samp_factor;
  }
  for (int i = 0; i < out->num_components; i++) {
    int zeroes = i > 0 && t->chroma == PE_JPEG_ZERO_CHROMA;
    if (is_whole && !zeroes) {
      targets[i] = sources[i];
      continue;
    }
    jpeg_component_info *to = &out->comp_info[i];
    // jpeg_write_coefficients works these out again; the arrays must exist before it is called.
    to->width_in_blocks =
      units(out->image_width * (JDIMENSION)to->h_samp_factor, h * DCTSIZE);
    to->height_in_blocks =
      units(out->image_height * (JDIMENSION)to->v_samp_factor, v * DCTSIZE);
    // Whole MCUs, because the encoder reads the padding blocks too.
    JDIMENSION across = units(to->width_in_blocks, to->h_samp_factor) * (JDIMENSION)to->h_samp_factor;
    JDIMENSION down = units(to->height_in_blocks, to->v_samp_factor) * (JDIMENSION)to->v_samp_factor;
    targets[i] = (*out->mem->request_virt_barray)((j_common_ptr)out, JPOOL_IMAGE, TRUE, across,
                                                  down, (JDIMENSION)to->v_samp_factor);
  }
  (*out->mem->realize_virt_arrays)((j_common_ptr)out);
  for (int i = 0; i < out->num_components; i++) {
    if (targets[i] == sources[i]) continue;
    if (i > 0 && t->chroma == PE_JPEG_ZERO_CHROMA)
      zero_component(out, targets[i], &out->comp_info[i]);
    else
      copy_component(in, out, sources[i], targets[i], &in->comp_info[i], &out->comp_info[i], t,
                     is_cancelled, context, &decoder->errors);
  }
  jpeg_write_coefficients(out, targets);
  jpeg_finish_compress(out);
}

int pe_jpeg_run_transform(pe_jpeg_decoder *decoder, const pe_jpeg_transform *transform,
                          int (*is_cancelled)(void *), void *context, uint8_t **bytes,
                          size_t *count) {
  writer *w = calloc(1, sizeof *w);
  if (w == NULL) return PE_JPEG_ERROR;
  // Both sides report through one error manager, so that either finds the way back here.
  if (setjmp(decoder->errors.way_back)) {
    jpeg_destroy_compress(&w->codec);
    free(w->bytes);
    free(w);
    return decoder->errors.status;
  }
  w->codec.err = &decoder->errors.base;
  jpeg_create_compress(&w->codec);
  run(decoder, w, transform, is_cancelled, context);
  jpeg_destroy_compress(&w->codec);
  *bytes = w->bytes;
  *count = w->count;
  free(w);
  return PE_JPEG_OK;
}
