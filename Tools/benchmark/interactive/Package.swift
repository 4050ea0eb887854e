// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// A package of its own, because it measures what an app gets that depends on this one.
let package = Package(
  name: "interactive",
  dependencies: [.package(name: "photoedit", path: "../../..")],
  targets: [
    .executableTarget(
      name: "interactive",
      dependencies: [
        .product(name: "PhotoEdit", package: "photoedit"),
        .product(name: "PhotoEditLibrary", package: "photoedit"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
