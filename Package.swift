// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// The C library of the platform, which every module may use.
let platform: Target.Dependency = "PhotoEditPlatform"

/// Conversions and arithmetic that cannot end the process, which every module re-exports.
let numbers: Target.Dependency = "PhotoEditNumbers"

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies + [platform, numbers], swiftSettings: strict)
}

func tests(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["PhotoEditTestSupport", platform],
    swiftSettings: strict)
}

/// Formats that a build can leave out, each with the library that reads it.
let inputs: [Target.Dependency] = ["HEIF", "WebP", "TIFF", "GIF", "RAW"].map { format in
  .target(name: "CPhotoEdit" + format, condition: .when(traits: [format]))
}

/// The C library is linked by `Tools/c-library` alone, with the options that hide all other symbols.
let sharedLibrary: Product.Library.LibraryType? =
  Context.environment["PHOTOEDIT_BUILD_C_LIBRARY"] == nil ? nil : .dynamic

/// The parts of the programs, which only `Tools/fuzz` uses as libraries.
let programs: [Product] =
  Context.environment["PHOTOEDIT_BUILD_PROGRAM_PARTS"] == nil
  ? [] : [.library(name: "PhotoEditPrograms", targets: ["PhotoEditTool", "PhotoEditServer"])]

let package = Package(
  name: "photoedit",
  products: [
    .library(
      name: "PhotoEdit",
      targets: [
        "PhotoEdit", "PhotoEditRendering", "PhotoEditFilters", "PhotoEditCodecs",
        "PhotoEditContainers", "PhotoEditPixels", "PhotoEditStorage",
      ]),
    .library(name: "PhotoEditMovieFiles", targets: ["PhotoEditMovieFiles"]),
    .library(
      name: "PhotoEditVideo", targets: ["PhotoEditVideo", "PhotoEditMovieFiles"]),
    .library(name: "PhotoEditLibrary", targets: ["PhotoEditLibrary"]),
    .library(name: "PhotoEditFoundation", targets: ["PhotoEditFoundation"]),
    .library(name: "PhotoEditTesting", targets: ["PhotoEditTesting"]),
    .library(
      name: "photoedit-interface", type: sharedLibrary, targets: ["PhotoEditInterface"]),
    .executable(name: "photoedit", targets: ["PhotoEditProgram"]),
    .executable(name: "photoedit-serve", targets: ["PhotoEditServeTool"]),
  ] + programs,
  traits: [
    .default(enabledTraits: ["HEIF", "WebP", "TIFF", "GIF", "RAW"]),
    .trait(name: "HEIF", description: "Reads HEIC, HEIF and AVIF images with libheif."),
    .trait(name: "WebP", description: "Reads WebP images with libwebp."),
    .trait(name: "TIFF", description: "Reads TIFF images with libtiff."),
    .trait(name: "GIF", description: "Reads the first image of a GIF with giflib."),
    .trait(name: "RAW", description: "Develops camera raw files with LibRaw."),
  ],
  targets: [
    // Level 0: C. One target per library; longjmp, variadics and dlopen stay inside.
    .target(name: "CPhotoEditJPEG", linkerSettings: [.linkedLibrary("jpeg")]),
    .target(name: "CPhotoEditPNG", linkerSettings: [.linkedLibrary("png"), .linkedLibrary("z")]),
    .target(name: "CPhotoEditDigest", linkerSettings: [.linkedLibrary(":libcrypto.a")]),
    .target(name: "CPhotoEditZlib", linkerSettings: [.linkedLibrary("z")]),
    .target(name: "CPhotoEditExpat", linkerSettings: [.linkedLibrary(":libexpat.a")]),
    .target(name: "CPhotoEditSystem", linkerSettings: [.linkedLibrary("dl")]),
    .target(name: "CPhotoEditKernels"),
    .target(name: "CPhotoEditLCMS", dependencies: ["CPhotoEditSystem"]),
    .target(name: "CPhotoEditHEIF", dependencies: ["CPhotoEditSystem"]),
    .target(name: "CPhotoEditWebP", dependencies: ["CPhotoEditSystem"]),
    .target(
      name: "CPhotoEditTIFF", dependencies: ["CPhotoEditSystem"],
      linkerSettings: [.linkedLibrary("z")]),
    .target(name: "CPhotoEditGIF", dependencies: ["CPhotoEditSystem"]),
    .target(name: "CPhotoEditRAW", dependencies: ["CPhotoEditSystem"]),
    .target(
      name: "CPhotoEditSQLite",
      linkerSettings: [.linkedLibrary(":libsqlite3.a"), .linkedLibrary("m")]),
    .target(name: "CPhotoEditAVFormat", dependencies: ["CPhotoEditSystem"]),
    .target(name: "CPhotoEditAVCodec", dependencies: ["CPhotoEditSystem"]),
    .target(name: "CPhotoEditArchive", dependencies: ["CPhotoEditSystem"]),
    .target(name: "CPhotoEditLens", dependencies: ["CPhotoEditSystem"]),
    .target(
      name: "CPhotoEditText", dependencies: ["CPhotoEditSystem"], exclude: ["headers/README.md"],
      cSettings: [.headerSearchPath("headers")]),
    .target(name: "CPhotoEditMicroHTTPD", linkerSettings: [.linkedLibrary("microhttpd")]),
    .target(name: "CPhotoEditWebFiles"),
    .target(name: "CPhotoEditInterface", exclude: ["photoedit.map"]),
    .target(name: "PhotoEditPlatform", swiftSettings: strict),
    .target(name: "PhotoEditNumbers", swiftSettings: strict),

    // Level 1: knows no photos.
    module("PhotoEditPixels"),
    module("PhotoEditStorage", ["CPhotoEditDigest", "CPhotoEditSystem"]),
    module("PhotoEditContainers", ["CPhotoEditExpat"]),

    // Level 2: image files, the arguments of any program, and the database.
    module(
      "PhotoEditCodecs",
      [
        "PhotoEditContainers", "PhotoEditPixels", "PhotoEditStorage", "CPhotoEditJPEG",
        "CPhotoEditPNG", "CPhotoEditZlib", "CPhotoEditLCMS", "CPhotoEditSystem",
        "CPhotoEditKernels",
      ] + inputs),
    module(
      "PhotoEditCommandLine", ["CPhotoEditSystem", "PhotoEditContainers", "PhotoEditStorage"]),
    module("PhotoEditSQLite", ["CPhotoEditSQLite", "PhotoEditStorage"]),

    // Level 3: filter graphs, the arguments of `serve`, and images in tests.
    module(
      "PhotoEditFilters",
      [
        "PhotoEditContainers", "PhotoEditPixels", "PhotoEditStorage", "CPhotoEditKernels",
        "CPhotoEditText",
      ]),
    module("PhotoEditServeArguments", ["PhotoEditCommandLine"]),
    module("PhotoEditTesting", ["PhotoEditCodecs", "PhotoEditPixels", "PhotoEditStorage"]),

    // Level 4: the engine.
    module(
      "PhotoEditRendering",
      [
        "PhotoEditFilters", "PhotoEditCodecs", "PhotoEditPixels", "PhotoEditStorage",
        "CPhotoEditKernels", "CPhotoEditLens",
      ]),

    // Level 5: edits of photos, and video files whose frames stay as they are.
    module(
      "PhotoEdit",
      [
        "PhotoEditRendering", "PhotoEditCodecs", "PhotoEditFilters", "PhotoEditContainers",
        "PhotoEditPixels", "PhotoEditStorage",
      ]),
    module(
      "PhotoEditMovieFiles",
      [
        "PhotoEditFilters", "PhotoEditContainers", "PhotoEditPixels", "PhotoEditStorage",
        "CPhotoEditAVFormat",
      ]),

    // Level 6: the library, and video whose frames change.
    module(
      "PhotoEditVideo",
      [
        "PhotoEdit", "PhotoEditMovieFiles", "PhotoEditRendering", "PhotoEditFilters",
        "PhotoEditCodecs", "PhotoEditPixels", "PhotoEditStorage",
        "CPhotoEditAVCodec",
      ]),
    module(
      "PhotoEditLibrary",
      [
        "PhotoEdit", "PhotoEditMovieFiles", "PhotoEditRendering", "PhotoEditCodecs",
        "PhotoEditFilters", "PhotoEditContainers", "PhotoEditPixels",
        "PhotoEditStorage", "PhotoEditSQLite", "CPhotoEditArchive",
      ]),

    // Level 7: the web server, NSError for those who load the whole of Foundation, and the commands.
    .target(
      name: "PhotoEditServer",
      dependencies: [
        "PhotoEdit", "PhotoEditLibrary", "PhotoEditVideo", "PhotoEditMovieFiles",
        "PhotoEditRendering", "PhotoEditCodecs", "PhotoEditFilters", "PhotoEditPixels",
        "PhotoEditStorage", "PhotoEditCommandLine", "PhotoEditServeArguments",
        "CPhotoEditMicroHTTPD", "CPhotoEditWebFiles", "CPhotoEditZlib", "CPhotoEditArchive",
        platform,
      ],
      exclude: ["Web"], swiftSettings: strict),
    module("PhotoEditFoundation", ["PhotoEdit", "PhotoEditLibrary"]),
    module(
      "PhotoEditTool",
      [
        "PhotoEdit", "PhotoEditMovieFiles", "PhotoEditVideo", "PhotoEditLibrary",
        "PhotoEditRendering", "PhotoEditCodecs",
        "PhotoEditFilters", "PhotoEditPixels", "PhotoEditStorage", "PhotoEditCommandLine",
        "PhotoEditServeArguments",
      ]),

    // Level 8: the programs, so that only `photoedit-serve` links the web server, and the C interface.
    .executableTarget(
      name: "PhotoEditProgram",
      dependencies: ["PhotoEditTool", "PhotoEditCodecs", "PhotoEditVideo"],
      swiftSettings: strict),
    module(
      "PhotoEditInterface",
      ["CPhotoEditInterface", "PhotoEditTool", "PhotoEditPixels", "PhotoEditStorage"]),
    .executableTarget(
      name: "PhotoEditServeTool",
      dependencies: [
        "PhotoEditServer", "PhotoEditServeArguments", "PhotoEditCommandLine", "PhotoEditCodecs",
        "PhotoEditVideo",
      ],
      swiftSettings: strict),

    // For contributors: writes TestImages/goldens.
    .executableTarget(
      name: "golden-recorder",
      dependencies: [
        "PhotoEditRendering", "PhotoEditFilters", "PhotoEditCodecs", "PhotoEditPixels",
        "PhotoEditStorage", "PhotoEditTestSupport",
      ],
      path: "Tools/golden-recorder", swiftSettings: strict),
    // For contributors: measures a library of a million assets.
    .executableTarget(
      name: "library-benchmark",
      dependencies: [
        "PhotoEditLibrary", "PhotoEditRendering", "PhotoEditPixels", "PhotoEditSQLite",
        "PhotoEditTestSupport",
      ],
      path: "Tools/library-benchmark", swiftSettings: strict),
    .target(name: "CPhotoEditAllocations", path: "Tests/CPhotoEditAllocations"),
    .target(
      name: "CPhotoEditImageWriters", path: "Tests/CPhotoEditImageWriters",
      linkerSettings: [.linkedLibrary("tiff"), .linkedLibrary("webp")]),
    .target(
      name: "PhotoEditTestSupport",
      dependencies: [
        "PhotoEditPixels", "PhotoEditCodecs", "PhotoEditStorage", "PhotoEditTesting",
        "CPhotoEditAllocations", platform,
      ],
      path: "Tests/PhotoEditTestSupport", swiftSettings: strict),
    tests("PhotoEditPixelsTests", ["PhotoEditPixels"]),
    tests("PhotoEditContainersTests", ["PhotoEditContainers", "PhotoEditStorage"]),
    tests("PhotoEditStorageTests", ["PhotoEditStorage"]),
    tests(
      "PhotoEditCommandLineTests",
      ["PhotoEditCommandLine", "PhotoEditContainers", "PhotoEditStorage"]),
    tests(
      "PhotoEditCodecsTests",
      [
        "PhotoEditCodecs", "PhotoEditContainers", "PhotoEditPixels", "PhotoEditStorage",
        "CPhotoEditImageWriters", "CPhotoEditSystem",
      ]),
    tests(
      "PhotoEditTestingTests",
      ["PhotoEditTesting", "PhotoEditCodecs", "PhotoEditPixels", "PhotoEditStorage"]),
    tests("PhotoEditFiltersTests", ["PhotoEditFilters", "PhotoEditPixels", "PhotoEditStorage"]),
    tests(
      "PhotoEditRenderingTests",
      [
        "PhotoEditRendering", "PhotoEditFilters", "PhotoEditCodecs", "PhotoEditPixels",
        "PhotoEditStorage", "PhotoEditTesting", "CPhotoEditKernels",
      ]),
    tests(
      "PhotoEditTests",
      [
        "PhotoEdit", "PhotoEditRendering", "PhotoEditFilters", "PhotoEditCodecs",
        "PhotoEditContainers", "PhotoEditPixels", "PhotoEditStorage",
      ]),
    tests(
      "PhotoEditVideoTests",
      [
        "PhotoEditVideo", "PhotoEdit", "PhotoEditMovieFiles", "PhotoEditRendering",
        "PhotoEditFilters", "PhotoEditCodecs",
        "PhotoEditPixels",
        "PhotoEditStorage", "CPhotoEditAVCodec", "CPhotoEditSystem",
      ]),
    tests(
      "PhotoEditMovieFilesTests", ["PhotoEditMovieFiles", "PhotoEditFilters", "PhotoEditStorage"]),
    tests("PhotoEditSQLiteTests", ["PhotoEditSQLite", "PhotoEditStorage"]),
    tests("PhotoEditFoundationTests", ["PhotoEditFoundation", "PhotoEdit", "PhotoEditLibrary"]),
    tests(
      "PhotoEditLibraryTests",
      [
        "PhotoEditLibrary", "PhotoEdit", "PhotoEditMovieFiles", "PhotoEditVideo", "PhotoEditSQLite",
        "PhotoEditRendering", "PhotoEditCodecs", "PhotoEditFilters", "PhotoEditPixels",
        "PhotoEditStorage",
      ]),
    tests(
      "PhotoEditToolTests",
      [
        "PhotoEditCommandLine", "PhotoEditFilters", "PhotoEditStorage", "PhotoEditCodecs",
        "PhotoEditLibrary", "PhotoEditPixels", "PhotoEditSQLite", "CPhotoEditImageWriters",
      ]),
    tests(
      "PhotoEditServerTests",
      [
        "PhotoEditServer", "PhotoEdit", "PhotoEditLibrary", "PhotoEditVideo", "PhotoEditMovieFiles",
        "PhotoEditRendering", "PhotoEditCodecs", "PhotoEditFilters", "PhotoEditPixels",
        "PhotoEditStorage", "PhotoEditCommandLine", "PhotoEditServeArguments",
      ]),
    tests("PhotoEditHousekeepingTests", []),
  ],
  swiftLanguageModes: [.v6]
)
