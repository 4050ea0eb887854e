// SPDX-License-Identifier: Apache-2.0

/// The values that the requests to a route contain, such as the members of a JSON object.
struct RouteFields<Values: Sendable>: Sendable {
  /// The values of a request that has none of the fields.
  fileprivate let defaults: Values
  /// The declarations, in the order in which they are read.
  fileprivate let fields: [RouteField<Values>]
  /// The declarations for the API description.
  let infos: [FieldInfo]

  init(_ defaults: Values, _ fields: RouteField<Values>...) { self.init(defaults, fields) }

  init(_ defaults: Values, _ fields: [RouteField<Values>]) {
    (self.defaults, self.fields) = (defaults, fields)
    infos = fields.map { field in
      var info = field.info
      if info.schema.isOptional { info.schema.json["default"] = field.write(defaults) }
      return info
    }
  }
}

/// A value in a request, bound to a property by a key path; `\.self` if it is the only one.
struct RouteField<Values>: Sendable {
  fileprivate let info: FieldInfo
  fileprivate let store: @Sendable (inout Values, JSONValue) throws(Problem) -> Void
  /// Returns the value for the API description; nil if it is not shown.
  fileprivate let write: @Sendable (Values) -> JSONValue?

  /// Declares a member of the JSON object that is the body.
  static func member<Value>(
    _ name: String, _ keyPath: any WritableKeyPath<Values, Value> & Sendable,
    _ type: FieldType<Value>, isRequired: Bool = false, _ help: String? = nil
  ) -> Self {
    Self(.body, name, keyPath, type, isRequired: isRequired, help)
  }

  /// Declares a member that may be omitted.
  static func member<Value>(
    _ name: String, _ keyPath: any WritableKeyPath<Values, Value?> & Sendable,
    _ type: FieldType<Value>, _ help: String? = nil
  ) -> Self {
    Self(.body, name, keyPath, type, help)
  }

  /// Declares a parameter of the query.
  static func query<Value>(
    _ name: String, _ keyPath: any WritableKeyPath<Values, Value> & Sendable,
    _ type: FieldType<Value>, _ help: String? = nil
  ) -> Self {
    Self(.query, name, keyPath, type, isRequired: false, help)
  }

  /// Declares a parameter of the query that may be omitted.
  static func query<Value>(
    _ name: String, _ keyPath: any WritableKeyPath<Values, Value?> & Sendable,
    _ type: FieldType<Value>, _ help: String? = nil
  ) -> Self {
    Self(.query, name, keyPath, type, help)
  }

  /// Declares the header field If-Match, without which the request is refused.
  static func ifMatch(
    _ keyPath: any WritableKeyPath<Values, String> & Sendable, _ type: FieldType<String>
  ) -> Self {
    Self(.header, "If-Match", keyPath, type, isRequired: true, "The quoted revision.")
  }

  private init<Value>(
    _ place: FieldInfo.Place, _ name: String,
    _ keyPath: any WritableKeyPath<Values, Value> & Sendable, _ type: FieldType<Value>,
    isRequired: Bool, _ help: String?
  ) {
    let schema = type.schema.described(help)
    info = FieldInfo(place: place, name: name, schema: isRequired ? schema : schema.optional)
    store = { (values, value) throws(Problem) in
      values[keyPath: keyPath] = try type.read(value, name)
    }
    write = { type.write($0[keyPath: keyPath]) }
  }

  private init<Value>(
    _ place: FieldInfo.Place, _ name: String,
    _ keyPath: any WritableKeyPath<Values, Value?> & Sendable, _ type: FieldType<Value>,
    _ help: String?
  ) {
    info = FieldInfo(place: place, name: name, schema: type.schema.described(help).optional)
    store = { (values, value) throws(Problem) in
      values[keyPath: keyPath] = try type.read(value, name)
    }
    write = { _ in nil }
  }
}

/// The declaration of a field for the API description, independent of its type.
struct FieldInfo: Sendable {
  enum Place: String, Sendable { case body, query, header }

  let place: Place
  let name: String
  var schema: Schema
}

extension Request {
  /// The limits of a body: those of a graph, and what surrounds it.
  private static let limits = JSONLimits(
    maximumBytes: Gate.maximumBodyBytes, maximumDepth: 64, maximumStringBytes: 2 << 20)

  /// Reads the declared fields; members of the body that are not declared are refused.
  func values<Values>(of declared: RouteFields<Values>) throws(Problem) -> Values {
    let members = try members(declared.infos.filter { $0.place == .body }.map(\.name))
    var values = declared.defaults
    for field in declared.fields {
      if let value = try value(of: field.info, members) { try field.store(&values, value) }
    }
    return values
  }

  private func value(
    of field: FieldInfo, _ members: [String: JSONValue]
  ) throws(Problem) -> JSONValue? {
    let name = field.name
    switch field.place {
    case .body:
      guard members[name] != nil || field.schema.isOptional else { throw .missing(name) }
      return members[name]
    case .query:
      let isNumber = field.schema.json["type"] == "integer"
      return target.query[name].map { text in
        isNumber ? Int(text).map { .whole($0) } ?? .string(text) : .string(text)
      }
    case .header:
      guard let text = head[name.lowercased()] else {
        throw Problem(
          .preconditionRequired, "the header field \(name.lowercased()) is missing")
      }
      return .string(text)
    }
  }

  /// Returns the members of the body's object, none for an empty body.
  private func members(_ allowed: [String]) throws(Problem) -> [String: JSONValue] {
    if body.isEmpty || Gate.safeMethods.contains(head.method) { return [:] }
    let value = try translating(
      { Problem(.badRequest, "\($0 as JSONError)") }, JSONValue(parsing: body, limits: Self.limits))
    guard case .object(let members) = value else {
      throw Problem(.badRequest, "the body is not a JSON object")
    }
    if let unknown = members.keys.sorted().first(where: { !allowed.contains($0) }) {
      throw Problem(
        .badRequest,
        "unknown member '\(unknown)' (allowed: \(allowed.joined(separator: ", ")))")
    }
    return members
  }
}

extension Problem {
  /// Creates the problem of a request without a required value.
  static func missing(_ name: String) -> Problem { Problem(.badRequest, "\(name) is missing") }
}
