// SPDX-License-Identifier: Apache-2.0

extension WebService {
  /// The settings of the page.
  var settingsRoutes: [Route] {
    [
      Route(
        "GET", "/api/settings", "Return the settings of the page, such as its language.",
        returns: .json(["settings": .object])
      ) { [settings] _ throws(Problem) in .json(["settings": .object(settings.values)]) },
      Route(
        "PUT", "/api/settings", "Store settings beside the others; null removes one.",
        writes: true,
        fields: RouteFields([:], .member("settings", \.self, .settings, isRequired: true)),
        returns: .done
      ) { [settings] request throws(Problem) in
        try settings.store(try request.fields)
        return .noContent
      },
    ]
  }
}

extension FieldType<[String: JSONValue]> {
  fileprivate static var settings: Self {
    Self(.object) { (value, name) throws(Problem) in
      guard case .object(let settings) = value else {
        throw Problem(.badRequest, "\(name) is not an object")
      }
      return settings
    }
  }
}
