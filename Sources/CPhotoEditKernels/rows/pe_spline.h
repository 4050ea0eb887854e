// SPDX-License-Identifier: Apache-2.0
// Piecewise cubics: every vector evaluates all pieces and keeps the result that applies to each
// lane.

enum { spline_block = 64 };

static void spline(const float *in, size_t count, const pe_spline_curve *curve, float *out) {
  float x[spline_block], start[spline_block], rest[spline_block], inverse[spline_block];
  float c0[spline_block], c1[spline_block], c2[spline_block], c3[spline_block];
  for (size_t done = 0; done < count; done += spline_block) {
    size_t length = count - done < spline_block ? count - done : spline_block;
    for (size_t i = 0; i < spline_block; i++) {
      x[i] = i < length ? in[done + i] : 0.0f;
    }
    for (size_t i = 0; i < spline_block; i++) {
      x[i] = clamped(x[i], curve->low, curve->high);
      start[i] = curve->pieces[0].start;
      rest[i] = curve->pieces[0].start_rest;
      inverse[i] = curve->pieces[0].inverse;
      c0[i] = curve->pieces[0].c[0];
      c1[i] = curve->pieces[0].c[1];
      c2[i] = curve->pieces[0].c[2];
      c3[i] = curve->pieces[0].c[3];
    }
    for (size_t k = 1; k < curve->count; k++) {
      const pe_cubic piece = curve->pieces[k];
      for (size_t i = 0; i < spline_block; i++) {
        int above = x[i] > piece.start;
        start[i] = above ? piece.start : start[i];
        rest[i] = above ? piece.start_rest : rest[i];
        inverse[i] = above ? piece.inverse : inverse[i];
        c0[i] = above ? piece.c[0] : c0[i];
        c1[i] = above ? piece.c[1] : c1[i];
        c2[i] = above ? piece.c[2] : c2[i];
        c3[i] = above ? piece.c[3] : c3[i];
      }
    }
    for (size_t i = 0; i < spline_block; i++) {
      float t = ((x[i] - start[i]) - rest[i]) * inverse[i];
      float y = ((c3[i] * t + c2[i]) * t + c1[i]) * t + c0[i];
      y = x[i] < curve->high ? y : curve->above;
      x[i] = x[i] > curve->low ? y : curve->below;
    }
    memcpy(out + done, x, length * sizeof(float));
  }
}
