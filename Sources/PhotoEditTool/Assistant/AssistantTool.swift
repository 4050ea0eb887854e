// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// A tool of an assistant: one command, or what a person would do with a few.
struct AssistantTool: Sendable {
  /// A parameter of a tool.
  struct Parameter: Sendable {
    enum Kind: Sendable { case text, texts, whole(ClosedRange<Int>), flag }

    let name: String
    let kind: Kind
    let help: String
    var isRequired = false

    fileprivate var schema: JSONValue {
      var fields: [String: JSONValue] = ["description": .string(help)]
      switch kind {
      case .text: fields["type"] = "string"
      case .texts: (fields["type"], fields["items"]) = ("array", ["type": "string"])
      case .whole(let range):
        fields["type"] = "integer"
        (fields["minimum"], fields["maximum"]) = (
          .whole(range.lowerBound), .whole(range.upperBound)
        )
      case .flag: fields["type"] = "boolean"
      }
      return .object(fields)
    }
  }

  typealias Action =
    @Sendable (AssistantArguments) throws(CommandFailure) -> [AssistantContent]

  let name: String
  let title: String
  let summary: String
  let parameters: [Parameter]
  var isEdit = false
  let run: Action

  /// The description of the tool for the assistant.
  var json: [String: JSONValue] {
    let properties = Dictionary(
      parameters.map { ($0.name, $0.schema) }, uniquingKeysWith: { first, _ in first })
    return [
      "name": .string(name), "title": .string(title), "description": .string(summary),
      "inputSchema": [
        "type": "object", "properties": .object(properties), "additionalProperties": false,
        "required": .texts(parameters.filter(\.isRequired).map(\.name)),
      ],
      "annotations": [
        "readOnlyHint": .bool(!isEdit), "destructiveHint": false, "openWorldHint": false,
      ],
    ]
  }

  // MARK: Parameters

  private static let photo = [
    Parameter(
      name: "path", kind: .text, help: "Photo or video, or an asset's identifier with library.",
      isRequired: true),
    Parameter(name: "library", kind: .text, help: "Folder of a photo library."),
  ]
  private static let filters = [
    Parameter(
      name: "filters", kind: .texts,
      help: "Filters to add, each NAME or NAME:KEY=VALUE,… such as \"exposure:ev=0.5\"."),
    Parameter(
      name: "auto", kind: .flag,
      help: "Measure the photo and add filters that improve light, color and white balance."),
  ]
  private static let size = Parameter(
    name: "size", kind: .whole(64...2048), help: "Longer side in pixels (default: 1024).")

  // MARK: Tools

  /// The tools that write nothing.
  static let viewing = [
    AssistantTool(
      name: "list", title: "List a folder",
      summary: "Lists the folders, photo libraries and files in a folder, 500 files at a time.",
      parameters: [
        Parameter(name: "folder", kind: .text, help: "Folder (default: the first one)."),
        Parameter(
          name: "offset", kind: .whole(0...1_000_000), help: "Number of files to skip (default: 0)."
        ),
      ]
    ) { arguments throws(CommandFailure) in try list(arguments) },
    AssistantTool(
      name: "find", title: "Search a library",
      summary: "Searches a photo library by words, dates and properties, such as "
        + "\"harbor rating:4.. 2019-05 -keyword:draft is:favorite\".",
      parameters: [
        Parameter(
          name: "library", kind: .text, help: "Folder of a photo library.", isRequired: true),
        Parameter(name: "terms", kind: .text, help: "Words and KEY:VALUE terms; none for all."),
        Parameter(name: "limit", kind: .whole(1...200), help: "Number of assets (default: 50)."),
      ]
    ) { arguments throws(CommandFailure) in try find(arguments) },
    AssistantTool(
      name: "inspect", title: "Inspect a photo",
      summary: "Returns size, format, color, camera, date, place and texts of a photo or video.",
      parameters: photo
    ) { arguments throws(CommandFailure) in
      let path = try arguments.original()
      let technical: Set = ["jpeg", "segments", "segmentCount", "schemaVersion"]
      let fields = try arguments.object(of: ["inspect", "--json", "--", path])
      return [.object(fields.filter { !technical.contains($0.key) })]
    },
    onPhoto(
      "show", name: "show_edit", "Show an edit",
      "Returns the saved edit of a photo: its filters with their values."),
    onPhoto(
      "history", "Show the history of an edit",
      "Returns the states of an edit, oldest first, with what changed."),
    AssistantTool(
      name: "list_filters", title: "List the filters",
      summary: "Lists the names of all filters with a summary of each.", parameters: []
    ) { arguments throws(CommandFailure) in [.text(try arguments.text(of: ["filters"]))] },
    AssistantTool(
      name: "describe_filter", title: "Describe a filter",
      summary: "Describes a filter and its parameters with their ranges.",
      parameters: [
        Parameter(name: "name", kind: .text, help: "Name of the filter.", isRequired: true)
      ]
    ) { arguments throws(CommandFailure) in
      [.text(try arguments.text(of: ["filters", "--", try arguments.required("name")]))]
    },
    AssistantTool(
      name: "preview", title: "Preview a photo",
      summary:
        "Returns an image of a photo or video: with its saved edit, and with further filters that "
        + "are not saved.",
      parameters: photo + filters + [size]
    ) { arguments throws(CommandFailure) in [.image(try preview(arguments))] },
    AssistantTool(
      name: "compare", title: "Compare before and after",
      summary: "Returns two images of a photo: the original, and like preview.",
      parameters: photo + filters + [size]
    ) { arguments throws(CommandFailure) in
      let before = try before(arguments)
      return [
        .text("Before:"), .image(before), .text("After:"), .image(try preview(arguments)),
      ]
    },
  ]

  /// The tools that change edits.
  static let editing = [
    AssistantTool(
      name: "apply", title: "Apply filters",
      summary: "Adds filters to the edit of a photo and writes the edited photo next to it.",
      parameters: photo + filters
        + [
          Parameter(name: "replace", kind: .flag, help: "Replace the edit instead of adding to it.")
        ],
      isEdit: true
    ) { arguments throws(CommandFailure) in
      var words = ["apply", "--json"] + (try arguments.filters())
      guard words.count > 2 else {
        throw .usage("filters: at least one is needed", hint: "list_filters returns their names")
      }
      if try arguments.flag("replace") { words.append("--replace") }
      return [.object(try arguments.object(of: words + arguments.target()))]
    },
    AssistantTool(
      name: "adjust", title: "Adjust an edit",
      summary: "Changes or removes filters of a saved edit.",
      parameters: photo + [
        Parameter(
          name: "set", kind: .texts,
          help: "Values, each NODE.KEY=VALUE such as \"exposure.ev=0.7\"; show_edit returns nodes."),
        Parameter(name: "remove", kind: .texts, help: "Nodes to remove."),
        Parameter(name: "disable", kind: .texts, help: "Nodes to switch off."),
        Parameter(name: "enable", kind: .texts, help: "Nodes to switch on."),
      ],
      isEdit: true
    ) { arguments throws(CommandFailure) in
      var words = ["adjust", "--json"]
      for option in ["set", "remove", "disable", "enable"] {
        words += try arguments.texts(option).map { "--\(option)=\($0)" }
      }
      return [.object(try arguments.object(of: words + arguments.target()))]
    },
    onPhoto(
      "undo", "Undo a change", "Goes back to the state of the edit before the last change.",
      isEdit: true),
    onPhoto("redo", "Redo a change", "Restores the state that was undone last.", isEdit: true),
    onPhoto(
      "revert", "Revert to the original", "Removes the edit; undo restores it.", isEdit: true),
  ]

  /// Returns the tool that runs a command on a photo and returns its report.
  ///
  /// - Parameter name: The name of the tool; that of the command if nil.
  private static func onPhoto(
    _ command: String, name: String? = nil, _ title: String, _ summary: String,
    isEdit: Bool = false
  ) -> AssistantTool {
    AssistantTool(
      name: name ?? command, title: title, summary: summary, parameters: photo, isEdit: isEdit
    ) { arguments throws(CommandFailure) in
      [.object(try arguments.object(of: [command, "--json"] + arguments.target()))]
    }
  }

  // MARK: Actions

  private static func list(
    _ arguments: AssistantArguments
  ) throws(CommandFailure) -> [AssistantContent] {
    let folder = try arguments.folder()
    let start = try arguments.whole("offset", default: 0)
    let found = try mapFileErrors(FileSystem.names(in: folder)).filter {
      $0.first != "." && !$0.lowercased().hasSuffix(".aae")
    }
    var (files, folders): ([String], [String]) = ([], [])
    for name in found {
      if FileSystem.isFolder(folder + "/" + name) {
        folders.append(name)
      } else {
        files.append(name)
      }
    }
    let libraries = folders.filter {
      FileSystem.itemExists(folder + "/" + $0 + "/library.db")
    }
    let shown = files.dropFirst(start).prefix(500)
    return [
      .object([
        "folder": .string(folder), "folders": .texts(folders.prefix(500)),
        "libraries": .texts(libraries.prefix(500)), "files": .texts(shown),
        "fileCount": .whole(files.count),
        "nextOffset": start + shown.count < files.count ? .whole(start + shown.count) : .null,
      ])
    ]
  }

  private static func find(
    _ arguments: AssistantArguments
  ) throws(CommandFailure) -> [AssistantContent] {
    let library = try arguments.path("library")
    let limit = try arguments.whole("limit", default: 50)
    let terms = (try arguments.text("terms") ?? "").split(separator: " ").map { String($0) }
    let assets = try arguments.values(
      of: ["asset", "list", "--json", "--limit", "\(limit + 1)", "-L", library, "--"] + terms)
    let listed = assets.prefix(limit).map { asset in
      JSONValue.object(
        (asset.objectValue ?? [:]).filter { key, value in
          !value.isNull && value != [] && !Self.internalKeys.contains(key)
            && !key.hasSuffix("Names")
        })
    }
    return [
      .object(["assets": .array(listed), "hasMore": .bool(assets.count > limit)])
    ]
  }

  /// The properties of assets that repeat others, or mean nothing to a person.
  private static let internalKeys: Set = [
    "localIdentifier", "schemaVersion", "mediaType", "mediaSubtypes", "playbackStyle", "sourceType",
    "traits", "burstSelectionTypes", "addedDate", "contentModificationDate", "day",
    "representsBurst", "utcOffset",
  ]

  /// Returns the options for an image for the assistant, which gets no metadata with it.
  private static func imageOptions(
    _ arguments: AssistantArguments
  ) throws(CommandFailure) -> [String] {
    let size = try arguments.whole("size", default: 1024)
    return ["--fit", "\(size)", "--srgb", "--strip", "all", "-o", "-"]
  }

  /// Returns an image of a photo with its edit and further filters, or of a video with its edit.
  private static func preview(
    _ arguments: AssistantArguments
  ) throws(CommandFailure) -> [UInt8] {
    let options = try imageOptions(arguments)
    let filters = try arguments.filters()
    let original = try arguments.original()
    let target = try arguments.target()
    let shown = try? arguments.object(of: ["show", "--json"] + target)
    let isEdited = shown?["edited"]?.boolValue == true
    let current = shown?["versions"]?.arrayValue?.last?["path"]?.stringValue ?? original
    if try EditTarget.isMovieToEdit(original) {
      guard filters.isEmpty else {
        throw .usage(
          "filters: are not previewed on a video", hint: "preview them on a photo, or apply them")
      }
      return try frame(of: isEdited ? current : original, arguments)
    }
    let graph = shown?["graph"] ?? .null
    guard isEdited, !graph.isNull else {
      let path = isEdited ? current : original
      return try arguments.command(["render"] + options + filters + ["--", path])
    }
    // The command for files knows their attachments; it writes no copies of assets.
    if try arguments.text("library") == nil {
      return try arguments.command(["apply"] + options + filters + target)
    }
    return try arguments.command(
      ["render", "--graph", "-"] + options + filters + ["--", original],
      input: Array(graph.canonicalText().utf8))
  }

  private static func before(_ arguments: AssistantArguments) throws(CommandFailure) -> [UInt8] {
    let original = try arguments.original()
    if try EditTarget.isMovieToEdit(original) { return try frame(of: original, arguments) }
    return try arguments.command(["render"] + imageOptions(arguments) + ["--", original])
  }

  /// Returns an image of a video.
  private static func frame(
    of path: String, _ arguments: AssistantArguments
  ) throws(CommandFailure) -> [UInt8] {
    let size = try arguments.whole("size", default: 1024)
    return try arguments.command(["thumbnail", "--size", "\(size)", "-o", "-", "--", path])
  }
}

/// A part of the answer of a tool.
enum AssistantContent: Sendable {
  case text(String)
  case object([String: JSONValue])
  /// A JPEG.
  case image([UInt8])

  /// The result of a call with these parts; an object is also given as such.
  static func json(_ parts: [AssistantContent]) throws(CommandFailure) -> [String: JSONValue] {
    var content: [JSONValue] = []
    var result: [String: JSONValue] = ["isError": false]
    for part in parts {
      switch part {
      case .text(let text): content.append(["type": "text", "text": .string(text)])
      case .object(let fields):
        result["structuredContent"] = .object(fields)
        content.append([
          "type": "text", "text": .string(try JSONValue.object(fields).canonicalText()),
        ])
      case .image(let bytes):
        content.append([
          "type": "image", "mimeType": "image/jpeg",
          "data": .string(Data(bytes).base64EncodedString()),
        ])
      }
    }
    result["content"] = .array(content)
    return result
  }
}
