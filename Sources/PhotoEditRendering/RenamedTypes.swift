// SPDX-License-Identifier: Apache-2.0

// Former names, which the release after the next one removes.

/// The former name of ``RenderPlanSummary``.
@available(*, deprecated, renamed: "RenderPlanSummary")
public typealias RenderOutline = RenderPlanSummary
