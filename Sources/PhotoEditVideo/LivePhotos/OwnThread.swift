// SPDX-License-Identifier: Apache-2.0
import Dispatch

/// Runs a body that blocks on a thread of another kind than those of tasks.
func onOwnThread<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
  await withCheckedContinuation { continuation in
    DispatchQueue.global().async { continuation.resume(returning: body()) }
  }
}
