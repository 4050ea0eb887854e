// SPDX-License-Identifier: Apache-2.0
// The JSON of the server, as openapi.json and /api/filters describe it, and the shapes that modules
// of the page share. No module loads this file: because it is not a module itself, `tsc` knows its
// names everywhere.

/**
 * What this browser may do here: the answer of `/api/service`.
 * @typedef {object} Service
 * @property {'photo' | 'folder' | 'library'} mode
 * @property {string} name
 * @property {string | null} asset the only photo, in the mode `photo`
 * @property {boolean} readOnly
 * @property {{ import: string[], export: string[] }} roots the folders that the page may name
 * @property {string | null} token the state that the page's first events follow
 */

// Lists

/**
 * A photo or video in a list.
 * @typedef {object} Item
 * @property {string} id
 * @property {string} title
 * @property {string} picture the digest of its image, a part of its address
 * @property {string | null} date
 * @property {number} duration in seconds
 * @property {number} w
 * @property {number} h
 * @property {string[]} flags
 * @property {number} rating from 0 to 5; -1 is rejected
 * @property {string | null} label the name of a color
 */

/**
 * A section of a list: consecutive items of a month or moment.
 * @typedef {object} Section
 * @property {string} key
 * @property {string} title
 * @property {number} start
 * @property {number} count
 */

/**
 * The request for a list.
 * @typedef {object} ListRequest
 * @property {string} source such as `all`, `trash` or `album:` and an identifier
 * @property {'month' | 'moment' | 'none'} sections
 * @property {string} [search] words and terms
 * @property {string} [predicate] a condition
 */

/** @typedef {number | [start: number, count: number]} Run */

/**
 * The differences between two states of a list, with members of type T.
 * @template T
 * @typedef {object} Differences
 * @property {Run[]} [removed] indexes in the old list
 * @property {[index: number, member: T][]} [inserted] at indexes after the removal
 * @property {[from: number, to: number][]} [moves] indexes after the insertion
 * @property {[index: number, member: T][]} [changed] at indexes of the new list
 */

/**
 * The differences of a list by a commit: an event of the type `view`.
 * @typedef {Differences<Item> & {
 *   view: string, from: string, to: string, count?: number, sections?: Section[], reset?: boolean,
 * }} ListChange
 */

/**
 * An album, or a folder of albums.
 * @typedef {object} Album
 * @property {string} id
 * @property {string} title
 * @property {'album' | 'folder'} kind
 * @property {number} [count] the number of photos of an album
 * @property {Album[]} [children] the contents of a folder
 */

// Photos

/**
 * The properties of a photo or video.
 * @typedef {object} Asset
 * @property {string} id
 * @property {string} name
 * @property {string | null} title
 * @property {string[]} flags
 * @property {string | null} caption
 * @property {string[]} keywords
 * @property {string[]} people
 * @property {number} rating from 0 to 5; -1 is rejected
 * @property {string | null} label
 * @property {string | null} place
 * @property {string | null} camera
 * @property {string | null} lens
 * @property {number | null} iso
 * @property {number | null} fNumber
 * @property {number | null} focalLength in millimeters
 * @property {number | null} exposureTime in seconds
 * @property {{ latitude: number, longitude: number } | null} location
 * @property {string | null} date
 * @property {boolean} [dateIsOfFile] whether it is that of the file, for want of another
 */

/**
 * The technical facts of a photo.
 * @typedef {object} Info
 * @property {string} name
 * @property {number} width
 * @property {number} height
 * @property {boolean} edited
 * @property {string} [format]
 * @property {number} [bytes]
 * @property {number} [bitsPerSample]
 * @property {Loss[]} [losses]
 */

/**
 * Content of a photo that its edited version does not have.
 * @typedef {{ kind: string, detail: string }} Loss
 */

// Filters and graphs

/** @typedef {number | string | boolean | null} Scalar */

/**
 * A stroke of a brush; a point is x, y, and what the radius is multiplied by, if not by 1.
 * @typedef {object} Stroke
 * @property {number} radius a fraction of the longer side
 * @property {number} [hardness] the share of the radius with full coverage
 * @property {number} [flow] the coverage
 * @property {boolean} [erase]
 * @property {number[][]} points
 */

/**
 * What one mask of a group does.
 * @typedef {object} Member
 * @property {string} [op] `add`, `subtract` or `intersect`
 * @property {number} [opacity] the share of its effect
 * @property {boolean} [invert]
 * @property {string} [name]
 */

/**
 * The value of a parameter: a number, text or flag, a vector, points of a curve, the stops of a
 * gradient, the strokes of a brush, or the members of a group of masks.
 * @typedef {Scalar | Scalar[] | Scalar[][] | Stroke[] | Member[]} Value
 */

/**
 * A parameter of a filter.
 * @typedef {object} Parameter
 * @property {string} name
 * @property {'number' | 'integer' | 'choice' | 'flag' | 'vector' | 'numbers' | 'points' | 'stops'
 *   | 'color' | 'asset' | 'strokes' | 'members' | 'text'} type
 * @property {string} unit
 * @property {string} summary
 * @property {Value} default
 * @property {Value} neutral the value without effect; null if it has none
 * @property {Value} [argument] a value that shows the filter at work
 * @property {string} allowed
 * @property {[low: number, high: number]} [range]
 * @property {[low: number, high: number]} [usefulRange] the range of a slider
 * @property {string[]} [choices]
 * @property {number[]} [counts] how many numbers a list can have
 * @property {number} [maximumBytes] the size of a text in UTF-8
 * @property {string} [kind] the kind of file, of an `asset`
 * @property {string} [label] its name on the screen, if a panel gives it another one
 * @property {string[]} [ramp] the colors of the track of its slider
 * @property {number} [step] of its slider, if its range does not tell
 * @property {number} [precision] to which its text is rounded
 */

/**
 * What the text of a number depends on.
 * @typedef {Pick<Parameter, 'type' | 'neutral' | 'range' | 'usefulRange' | 'step'
 *   | 'precision'>} Scale
 */

/**
 * The description of a filter.
 * @typedef {object} Filter
 * @property {string} name
 * @property {number} version
 * @property {string} family
 * @property {string} group
 * @property {'none' | 'picture' | 'twoPictures' | 'mask' | 'twoMasks' | 'masks'
 *   | 'optionalPicture'} inputs
 * @property {'linear' | 'encoded'} light
 * @property {Parameter[]} parameters
 * @property {string[]} [aliases]
 * @property {string} summary
 * @property {string} formula
 * @property {string} reach
 * @property {string} peers
 */

/**
 * A filter in a graph, with the values of its parameters.
 * @typedef {object} GraphNode
 * @property {string} id
 * @property {string} filter
 * @property {number} v the version of the filter
 * @property {Record<string, Value>} [params]
 * @property {string[]} [in] the nodes that it reads, in place of the image before it
 * @property {string} [mask] the node that limits its effect
 * @property {number} [opacity]
 * @property {string} [blend]
 * @property {boolean} [enabled]
 * @property {{ auto?: number }} [ext] 1 if an automatic adjustment added it
 */

/**
 * A file that a graph needs.
 * @typedef {{ digest: string }} Attachment
 */

/**
 * An edit: its nodes in order.
 * @typedef {object} Graph
 * @property {string} format
 * @property {string} version
 * @property {GraphNode[]} nodes
 * @property {{ background?: string }} [output]
 * @property {Record<string, Attachment>} [assets]
 */

/**
 * A change of a node between two states.
 * @typedef {object} NodeChange
 * @property {string} filter
 * @property {string} [node]
 * @property {string | null} [key] the parameter or property; null for the node itself
 * @property {string} [kind] such as `added`
 * @property {Value} [from]
 * @property {Value} [to]
 */

/**
 * A state in the history of a photo.
 * @typedef {object} EditState
 * @property {number} n
 * @property {boolean} edited
 * @property {Graph | null} graph null if another program made it
 * @property {string[]} filters
 * @property {NodeChange[]} changes from the state before it
 * @property {string} [date]
 * @property {string} [editor] the program
 */

/**
 * The history of a photo.
 * @typedef {{ revision: string, current: number, states: EditState[] }} Journal
 */

/**
 * The state of a photo after revert, undo or redo, or that another program has saved.
 * @typedef {object} CurrentState
 * @property {string} revision
 * @property {number} current
 * @property {boolean} edited
 * @property {string | null} date
 * @property {string | null} editor
 * @property {Graph | null} graph
 */

/**
 * The session in which a photo is edited.
 * @typedef {object} EditingAnswer
 * @property {string} session
 * @property {string} revision
 * @property {'photo' | 'movie' | 'livePhoto'} media
 * @property {string} name
 * @property {Graph} graph the saved graph
 * @property {{ graph: Graph } | null} draft that an earlier session has left
 * @property {Loss[]} losses
 * @property {boolean} wideGamut
 * @property {{ width: number, height: number }} size of the photo before its edit
 */

/** @typedef {{ revision: string, graph: Graph, losses: Loss[], file?: string }} SaveResult */

/**
 * The levels of a preview, 256 counts each, and its shares of clipped pixels.
 * @typedef {object} Statistics
 * @property {{ r: number[], g: number[], b: number[], luma: number[] }} levels
 * @property {{ shadows: number, highlights: number }} clipped
 */

/** @typedef {{ x: number, y: number, w: number, h: number }} Region a part, in fractions */
/** @typedef {{ width: number, height: number, region?: Region }} PreviewRequest */

/**
 * A rendered preview.
 * @typedef {object} Preview
 * @property {ImageBitmap} bitmap
 * @property {string | null} preview its name
 * @property {number} scale its pixels for a pixel of the photo
 * @property {number[]} full the size of the edited photo
 * @property {Region} [region]
 * @property {Statistics | null} statistics
 */

/**
 * A request for a preview that waits or is in flight.
 * @typedef {object} PreviewItem
 * @property {string} purpose `drag` or `still`
 * @property {number} at the time of the input
 * @property {number} sequence
 * @property {AbortController} controller
 * @property {number} [sent] the time when it was sent
 * @property {Graph} [graph]
 * @property {Tool | null} [tool] that was in use when it was sent
 */

/** @typedef {{ name: string, graph: Graph }} Preset */

// Jobs and plans

/**
 * Work that the server does while the page waits, with a result of type T.
 * @template T
 * @typedef {object} Job
 * @property {string} job
 * @property {'running' | 'done' | 'failed'} state
 * @property {number} done from 0 to 1
 * @property {number | null} remaining in seconds
 * @property {T | null} result
 * @property {ProblemBody | null} problem
 */

/**
 * A problem by RFC 9457.
 * @typedef {object} ProblemBody
 * @property {string} title
 * @property {string} [detail]
 * @property {string} [type]
 * @property {number} [status]
 * @property {number} [position] the character of a predicate, from 1
 * @property {string} [term] of a search, which the server does not know
 * @property {string[]} [allowed] the terms that are possible in its place
 * @property {CurrentState} [state] that another program has saved
 * @property {FailedFile[]} [failed]
 * @property {number} [retryAfter] in seconds; from the header field
 */

/** @typedef {{ graph: Graph, from?: string } | { preset: string }} BatchEdit */

/**
 * What a batch would do.
 * @typedef {object} BatchPlan
 * @property {string} plan
 * @property {BatchRow[]} rows
 */

/**
 * @typedef {object} BatchRow
 * @property {string} id
 * @property {string} effect
 * @property {string | null} obstacle the reason for which it cannot be changed
 * @property {ProblemBody | null} problem the same as a problem
 * @property {Loss[]} losses
 * @property {boolean} preselected
 */

/**
 * @typedef {object} BatchResult
 * @property {{
 *   id: string, outcome: 'applied' | 'skipped' | 'failed', revision?: string,
 *   problem?: ProblemBody,
 * }[]} results
 */

/**
 * What an import would do with each group of files.
 * @typedef {{ plan: string, groups: ImportGroup[] }} ImportPlan
 */

/**
 * @typedef {object} ImportGroup
 * @property {string} key
 * @property {string} kind
 * @property {string[]} files
 * @property {string | null} reason
 * @property {boolean} importable
 * @property {boolean} thumbnail
 */

/** @typedef {{ file: string, reason: string | null }} FailedFile */

/**
 * @typedef {object} ImportResult
 * @property {number} assets
 * @property {number} added
 * @property {boolean} stopped
 * @property {FailedFile[]} failed
 */

/**
 * @typedef {object} ExportResult
 * @property {number} count
 * @property {boolean} stopped
 * @property {{ id: string, problem: ProblemBody }[]} failed
 * @property {{ file: string, note: string }[]} notes
 */

// The page

/**
 * Listeners by the names of their events.
 * @typedef {{
 *   [Name in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Name]) => unknown
 * }} Listeners
 */

/**
 * Attributes of an element, with its listeners and data attributes.
 * @typedef {{
 *   on?: Listeners, data?: Record<string, string | number>,
 *   [attribute: string]: string | number | boolean | null | undefined | Listeners | object,
 * }} Properties
 */

/** @typedef {Node | string | false | null | undefined} Child */

/**
 * Keys of a screen, separated by spaces, with their description and their action, which returns
 * false if the key is not for it; `up` is called when the key is released.
 * @typedef {[
 *   keys: string, text: string | null, action: (event: KeyboardEvent) => unknown,
 *   options?: { up?: (event: KeyboardEvent) => void },
 * ]} Binding
 */

/**
 * An answer to the question of a dialog, which stays open if it refuses. One that is final cannot
 * be undone: it does not have the focus at first.
 * @typedef {object} Answer
 * @property {string} label
 * @property {string} [value]
 * @property {string} [kind]
 * @property {boolean} [isFinal]
 * @property {() => boolean} [refuses]
 */

/**
 * An entry of a menu.
 * @typedef {object} MenuItem
 * @property {string} label
 * @property {string} [symbol]
 * @property {HTMLElement} [image] in place of a symbol
 * @property {boolean} [disabled]
 * @property {() => unknown} [action]
 */

/** @typedef {[x: number, y: number]} Point */

/**
 * A control of a parameter.
 * @typedef {object} Control
 * @property {HTMLElement} element
 * @property {(value: Value) => void} show
 * @property {(levels: Statistics['levels'], channel: Value, points?: number[][]) => void}
 *   [showLevels] takes the levels of the result, and the points of the curve in it
 */

/**
 * The panel as its controls know it.
 * @typedef {object} Edit
 * @property {string} prefix of identifiers
 * @property {(name: string, value: Value, at?: number) => void} set
 * @property {() => void} begin
 * @property {() => void} end
 * @property {() => void} remove removes the filter
 * @property {boolean} canAttach
 * @property {(name: string, file: File) => void} attach
 * @property {(parameter: Parameter, anchor: HTMLElement) => void} choosePresetFile
 * @property {(name: string) => string} attachmentName
 * @property {import('./editor/maskSection.js').MaskSection} [section] whose masks it edits
 */

/**
 * A tool on the photo.
 * @typedef {object} Tool
 * @property {() => void} layOut
 * @property {HTMLElement} [bar]
 * @property {HTMLElement} [focus] the element that arrow keys move
 * @property {(graph: Graph) => Graph} [graph] the graph that is rendered while it is in use
 * @property {(graph: Graph) => void} [painted]
 * @property {string[]} [filters] the filters that it edits, if not only that of its panel
 * @property {() => void} [level] lets a line be drawn along the horizon
 * @property {() => void} [toggleMask]
 * @property {(key: string) => boolean} [press] takes a key of the editor, or returns false
 * @property {() => boolean} [addsToPhoto]
 * @property {() => void} [stop]
 */
