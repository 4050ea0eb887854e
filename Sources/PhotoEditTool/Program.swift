// SPDX-License-Identifier: Apache-2.0
import PhotoEditServeArguments

/// The program's name, version, and commands.
package enum Program {
  package static let version = programVersion

  package static let description = ProgramDescription(
    name: "photoedit",
    abstract: "Non-destructive photo and video editing: the originals are never changed.",
    version: version,
    examples: [
      CommandExample("apply --filter grayscale photo.jpg", "write photo.edited.jpg"),
      CommandExample("adjust photo.jpg --set exposure.ev=0.5", "change the edit"),
    ],
    components: { VersionInfo.all },
    check: { () throws(CommandFailure) in try VersionInfo.checkKernels() },
    finish: { OpenLibraries.close(of: $0) },
    complete: { ValueCompletion.completion($0, $1) },
    groups: [
      .init(
        "Edit",
        [
          ApplyCommand.self, AdjustCommand.self, RevertCommand.self, UndoCommand.self,
          RedoCommand.self, HistoryCommand.self, RenderCommand.self, RelinkCommand.self,
        ]),
      .init(
        "View",
        [
          ShowCommand.self, InspectCommand.self, ThumbnailCommand.self, SheetCommand.self,
          CompareCommand.self, ServeCommand.self,
        ]),
      .init("Library", libraryCommands),
      .init(
        "Tools",
        [
          FiltersCommand.self, PresetCommand.self, BakeCommand.self, PlanCommand.self,
          WorkerCommand.self, CollectCommand.self, MCPCommand.self, CompletionsCommand.self,
          ManCommand.self, VersionCommand.self,
        ]),
    ])

  private static let libraryCommands: [any Command.Type] = [
    LibraryCreateCommand.self, LibraryInfoCommand.self, LibrarySetCommand.self,
    LibraryCheckCommand.self,
    LibraryRepairCommand.self, LibraryBackupCommand.self, AssetImportCommand.self,
    AssetListCommand.self, AssetShowCommand.self, AssetSetCommand.self, AssetDeleteCommand.self,
    AssetRestoreCommand.self, AssetPurgeCommand.self, AssetExportCommand.self,
    AssetPairCommand.self, AssetUnpairCommand.self, AssetBurstCommand.self,
    AssetDuplicatesCommand.self,
    AlbumCreateCommand.self, AlbumListCommand.self, AlbumShowCommand.self, AlbumAddCommand.self,
    AlbumRemoveCommand.self, AlbumInsertCommand.self, AlbumMoveCommand.self,
    AlbumRenameCommand.self, AlbumDeleteCommand.self, FolderCreateCommand.self,
    FolderListCommand.self, FolderAddCommand.self, FolderRemoveCommand.self,
    FolderRenameCommand.self, FolderDeleteCommand.self, MomentListCommand.self,
    ChangesCommand.self,
  ]
}
