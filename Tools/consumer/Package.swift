// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

// "run" sets this to a tagged clone of this repository; use the URL of your own clone.
let repository = Context.environment["PHOTOEDIT_REPOSITORY"] ?? "../.."

let package = Package(
  name: "consumer",
  dependencies: [.package(url: repository, exact: "0.2.0")],
  targets: [
    .executableTarget(
      name: "consumer", dependencies: [.product(name: "PhotoEdit", package: "photoedit")]),
    .testTarget(
      name: "consumerTests",
      dependencies: [
        "consumer", .product(name: "PhotoEdit", package: "photoedit"),
        .product(name: "PhotoEditTesting", package: "photoedit"),
      ],
      exclude: ["Goldens"]),
  ],
  swiftLanguageModes: [.v6]
)
