// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// "run" names a clone of this repository and puts the tag on it; other people name their own.
let repository = Context.environment["PHOTOEDIT_REPOSITORY"] ?? "../.."

let package = Package(
  name: "consumer",
  dependencies: [.package(url: repository, exact: "0.1.0")],
  targets: [
    .executableTarget(
      name: "consumer", dependencies: [.product(name: "PhotoEdit", package: "photoedit")])
  ],
  swiftLanguageModes: [.v6]
)
