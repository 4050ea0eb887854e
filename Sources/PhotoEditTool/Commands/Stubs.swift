// SPDX-License-Identifier: Apache-2.0
import CommandLineKit

struct FiltersCommand: Command {
  static let configuration = CommandConfiguration<Self>("filters", "x");
  func run(in environment: CommandEnvironment) throws(CommandFailure) {}
}
struct CompareCommand: Command {
  static let configuration = CommandConfiguration<Self>("compare", "x");
  func run(in environment: CommandEnvironment) throws(CommandFailure) {}
}
struct InspectCommand: Command {
  static let configuration = CommandConfiguration<Self>("inspect", "x");
  func run(in environment: CommandEnvironment) throws(CommandFailure) {}
}
struct VersionCommand: Command {
  static let configuration = CommandConfiguration<Self>("version", "x");
  func run(in environment: CommandEnvironment) throws(CommandFailure) {}
}
