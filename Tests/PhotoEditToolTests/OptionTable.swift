// SPDX-License-Identifier: Apache-2.0
import PhotoEditLibrary

/// A case for each option of each command, in which it makes a difference.
///
/// A line `# COMMAND WORDS` begins a command with the words that most of its options are added to.
/// A line `NAME WORDS` is an option, written as in the words. `NAME @ WORDS » MORE` compares the
/// words with both. `NAME < FILE » WORDS` gives the command a request to render a file.
/// `; WORDS` is a command that shows the result. `=CODE` is the exit code if it is not 0.
/// `NAME ! REASON` is an option whose effect cannot be shown in this way. A name in braces is the
/// asset with the file of this name.
enum OptionTable {
  /// The texts of photos other than the title.
  private static let texts = PhotoProperties.texts.map(\.name).filter { $0 != "title" }
    .map { "\($0) --\($0) Words" }.joined(separator: "\n")

  static let text = """
    # apply photo.jpg --filter sepia
    filter --filter invert
    preset --preset vivid.json
    graph @ photo.jpg --filter invert » --graph look.json
    attachment @ photo.jpg --graph cube.json =65 » --attachment away/lut.cube
    background @ alpha.png --filter sepia » --background #ff0000
    auto --auto
    match --match big.jpg
    deflicker @ photo.jpg big.jpg --filter sepia -q -j 1 » --deflicker
    import-edit @ photo.jpg --filter invert » --import-edit a.xmp --allow-approximate
    allow-approximate @ photo.jpg --import-edit a.xmp =64 » --allow-approximate
    replace @ edited.jpg --filter grayscale » --replace
    update @ edited.jpg --filter sepia » --update
    skip-existing @ edited.jpg --filter grayscale » --skip-existing
    no-sidecar --no-sidecar
    jobs ! only the time differs
    report --report report.jsonl
    retry-failed @ --filter invert =64 » --retry-failed failed.jsonl
    sheet --sheet new.html
    library @ {0} --filter sepia =66 » -L lib
    state-dir --state-dir state
    fit @ big.jpg -o out.jpg --progressive » --fit 9
    aspect @ photo.jpg -o out.jpg --progressive » --aspect 1:3
    gravity @ photo.jpg -o out.jpg --aspect 1:3 » --gravity west
    srgb @ photo.jpg -o out.jpg =64 » --srgb
    sharpen-for @ photo.jpg -o out.jpg --progressive » --sharpen-for print
    max-bytes @ photo.jpg -o out.jpg --progressive » --max-bytes 9 =65
    progressive @ photo.jpg -o out.jpg --fit 9 » --progressive
    keep @ photo.jpg -o out.jpg --progressive » --keep copyright
    template @ photo.jpg -o away/ --progressive » --template x
    recursive @ photos -o new/ --progressive =65 » -r
    output -o other.jpg
    force @ photo.jpg --filter sepia --no-sidecar -o big.jpg =73 » -f
    dry-run -n
    strict @ alpha.png --filter sepia » --strict =65
    still-only @ {live} --filter sepia -L lib --video-preset ultrafast » --still-only
    accept-original @ retouched.jpg --filter invert =65 » --accept-original
    format-identifier --format-identifier com.example.other
    quality --quality 30
    strip --strip all
    dither @ deep.png --filter sepia » --dither tpdf
    lenient @ cut.jpg --filter sepia =65 » --lenient
    max-pixels --max-pixels 9 =65
    max-dimension --max-dimension 9 =65
    max-scans @ progressive.jpg --filter sepia » --max-scans 1 =65
    max-memory --max-memory 1K =65
    threads ! only the time differs
    video-codec @ clip.mov --filter invert --video-preset ultrafast » --video-codec hevc
    video-quality @ clip.mov --filter invert --video-preset ultrafast » --video-quality 45
    video-preset @ clip.mov --filter invert » --video-preset ultrafast
    remux @ clip.mp4 » --remux libavformat
    drop-streams @ foreign.mp4 =65 » --drop-streams

    # adjust edited.jpg --disable n1
    set @ edited.jpg --enable n1 » --set n1.amount=0.3
    remove @ edited.jpg --enable n1 » --remove n1
    move @ chain.jpg --enable n1 » --move n2:0
    disable @ edited.jpg --enable n1 » --disable n1
    enable @ edited.jpg --set n1.amount=0.3 --disable n1 » --enable n1
    upgrade @ edited.jpg =64 » --upgrade n1
    library @ {1} --disable n1 =66 » -L lib
    state-dir @ stated.jpg --disable n1 =65 » --state-dir states
    output -o other.jpg
    force @ overwritten.jpg --disable n1 =73 » -f
    dry-run -n
    strict @ alphaedit.png --disable n1 » --strict =65
    still-only @ {livedit} --disable n1 -L lib --video-preset ultrafast » --still-only
    accept-original @ retouched.jpg --disable n1 =65 » --accept-original
    format-identifier @ edited.jpg --disable n1 » --format-identifier com.example.other =65
    quality --quality 30
    strip --strip all
    dither @ deepedit.png --disable n1 » --dither tpdf
    lenient @ cutedit.jpg --disable n1 =65 » --lenient
    max-pixels --max-pixels 9 =65
    max-dimension --max-dimension 9 =65
    max-scans @ progressive-edit.jpg --disable n1 » --max-scans 1 =65
    max-memory --max-memory 1K =65
    threads ! only the time differs
    video-codec @ clipedit.mov --set n1.amount=0.5 --video-preset ultrafast » --video-codec hevc
    video-quality @ clipedit.mov --set n1.amount=0.5 --video-preset ultrafast » --video-quality 45
    video-preset @ clipedit.mov --set n1.amount=0.5 » --video-preset ultrafast
    remux @ clipmp4.mp4 --disable n1 » --remux libavformat
    drop-streams @ foreignedit.mp4 --disable n1 =65 » --drop-streams

    # revert edited.jpg
    library @ {1} =66 » -L lib
    state-dir @ stated.jpg » --state-dir states
    output @ away.jpg » -o away/away.edited.jpg
    force @ overwritten.jpg =73 » -f
    dry-run -n

    # undo edited.jpg
    to @ chain.jpg » --to 0
    library @ {1} =66 » -L lib
    state-dir @ stated.jpg =65 » --state-dir states
    output @ away.jpg » -o away/away.edited.jpg
    force @ overwritten.jpg =73 » -f
    dry-run -n

    # redo edited.jpg
    to @ undone.jpg » --to 2
    library @ {2} =66 » -L lib
    state-dir @ stated2.jpg =65 » --state-dir states
    output @ awayundone.jpg » -o away/other.jpg
    force @ occupied.jpg =73 » -f
    dry-run -n

    # history edited.jpg
    library @ {1} =66 » -L lib
    state-dir @ stated.jpg » --state-dir states

    # render photo.jpg --filter sepia -o out.jpg
    filter --filter invert
    preset --preset vivid.json
    graph @ photo.jpg --filter invert -o out.jpg » --graph look.json
    attachment @ photo.jpg --graph cube.json -o out.jpg =65 » --attachment away/lut.cube
    background @ alpha.png --filter sepia -o out.jpg » --background #ff0000
    auto --auto
    match --match big.jpg
    import-edit @ photo.jpg --filter invert -o out.jpg » --import-edit a.xmp --allow-approximate
    allow-approximate @ photo.jpg --import-edit a.xmp -o out.jpg =64 » --allow-approximate
    fit @ big.jpg -o out.jpg » --fit 9
    aspect @ photo.jpg -o out.jpg » --aspect 1:3
    gravity @ photo.jpg -o out.jpg --aspect 1:3 » --gravity west
    srgb ! the test images are sRGB
    sharpen-for @ photo.jpg -o out.jpg » --sharpen-for print
    max-bytes @ photo.jpg -o out.jpg » --max-bytes 9 =65
    progressive @ photo.jpg -o out.jpg » --progressive
    keep @ photo.jpg -o out.jpg » --keep copyright
    template @ photo.jpg -o away/ » --template x
    recursive @ photos -o new/ =65 » -r
    jobs ! only the time differs
    output @ photo.jpg --filter sepia =64 » -o other.jpg
    force @ photo.jpg --filter sepia -o big.jpg =73 » -f
    report --report report.jsonl
    retry-failed @ --filter invert -o away/ =64 » --retry-failed failed.jsonl
    raster --raster raster.png
    plan @ photo.jpg --filter sepia =64 » --plan
    quality --quality 30
    strip --strip all
    dither @ deep.png --filter sepia -o out.jpg » --dither tpdf
    lenient @ cut.jpg --filter sepia -o out.jpg =65 » --lenient
    max-pixels --max-pixels 9 =65
    max-dimension --max-dimension 9 =65
    max-scans @ progressive.jpg --filter sepia -o out.jpg » --max-scans 1 =65
    max-memory --max-memory 1K =65
    threads ! only the time differs

    # relink away
    dry-run @ moved » -n

    # show edited.jpg
    library @ {1} =66 » -L lib
    state-dir @ stated.jpg » --state-dir states

    # inspect photo.jpg
    verify @ cut.jpg » --verify =65
    max-pixels --max-pixels 9 =65
    max-dimension --max-dimension 9 =65
    max-scans @ progressive.jpg --verify » --max-scans 1 =65
    max-memory @ photo.jpg --verify » --max-memory 1K =65

    # thumbnail big.jpg -o t.jpg
    size --size 32
    fill @ big.jpg -o t.jpg -s 40x40 » --fill
    enlarge @ photo.jpg -o t.jpg » --enlarge
    embedded @ big.jpg -s 64 -o t.jpg » --embedded
    quality --quality 30
    format @ big.jpg -o t » --format png
    output @ big.jpg » -o t.jpg
    force @ big.jpg -o photo.jpg =73 » -f
    lenient @ cut.jpg -o t.jpg -s 32 =65 » --lenient
    max-pixels --max-pixels 9 =65
    max-dimension --max-dimension 9 =65
    max-scans @ progressive.jpg -o t.jpg » --max-scans 1 =65
    max-memory --max-memory 1K =65
    jobs ! only the time differs
    library @ {0} -o t.jpg =66 » -L lib

    # sheet edited.jpg -o p.html
    output @ edited.jpg =64 » -o p.html
    force @ edited.jpg -o page.html =73 » -f
    size --size 32
    lenient @ cutedit.jpg -o p.html =65 » --lenient
    max-pixels --max-pixels 9 =65
    max-dimension --max-dimension 9 =65
    max-scans @ progressive-edit.jpg -o p.html » --max-scans 1 =65
    max-memory --max-memory 1K =65
    library @ {1} -o p.html =66 » -L lib
    state-dir @ stated.jpg -o p.html » --state-dir states

    # compare photo.jpg dim.jpg =1
    tolerance --tolerance P =1
    diff --diff d.png =1
    force @ photo.jpg dim.jpg --diff deep.png =73 » -f =1
    lenient @ cut.jpg photo.jpg =65 » --lenient =1
    max-pixels --max-pixels 9 =65
    max-dimension --max-dimension 9 =65
    max-scans @ progressive.jpg progressive.jpg » --max-scans 1 =65
    max-memory --max-memory 1K =65

    # serve
    library ! the server runs until it is stopped; its own tests start it
    no-open ! the server runs until it is stopped; its own tests start it
    port ! the server runs until it is stopped; its own tests start it
    read-only ! the server runs until it is stopped; its own tests start it
    import-from ! the server runs until it is stopped; its own tests start it
    export-to ! the server runs until it is stopped; its own tests start it
    address ! the server runs until it is stopped; its own tests start it
    socket ! the server runs until it is stopped; its own tests start it
    listen ! the server runs until it is stopped; its own tests start it
    origin ! the server runs until it is stopped; its own tests start it
    link ! the server runs until it is stopped; its own tests start it
    log ! the server runs until it is stopped; its own tests start it
    web-folder ! the server runs until it is stopped; its own tests start it
    # library create new
    library @ =64 » -L new

    # library info lib
    library @ =64 » -L lib
    by --by month

    # library set lib
    library @ --time-zone +02:00 =64 » -L lib
    time-zone @ lib =64 » --time-zone +02:00

    # library check lib
    library @ =64 » -L lib
    deep @ damaged =0 » --deep =1

    # library repair lib
    library @ =64 » -L lib
    places --places =66

    # library backup backup -L lib
    library @ backup =64 » -L lib
    no-hardlinks --no-hardlinks
    deep @ backup -L damaged » --deep =1

    # asset import photo.jpg -L lib
    library @ photo.jpg =64 » -L lib
    dry-run -n
    move --move
    duplicates @ photos -L lib » --duplicates import
    prefer ! it decides between dates, which differ in each run
    raw ! no photo has a raw file
    time-zone @ photo.jpg -L lib » --time-zone Nowhere/Else =64
    date-from @ photo.jpg -L lib » --date-from calendar =64
    update-metadata @ tagged3 -L lib =1 » --update-metadata
    with-trash @ Takeout -L lib » --with-trash
    album-from @ photos -L second » --album-from folder ; album list -L second
    exclude @ photos -L lib » --exclude *.jpg
    restore-trashed @ live -L lib » --restore-trashed
    report --report report.jsonl
    no-recursive @ deepfolder -L lib » --no-recursive
    run @ -L lib =64 » --run failedrun
    replace @ --run run -L lib =1 » --replace
    add-originals @ --run failedrun -L second =66 » --add-originals

    # asset list -L lib
    library @ =64 » -L lib
    where --where favorite=1
    explain --explain
    month --month 2024-05
    group --group month
    album --album Lisbon
    sort --sort originalFilename:desc
    limit --limit 1
    include-hidden --include-hidden
    include-bursts --include-bursts
    trashed --trashed
    manifest --manifest
    replace @ -L lib --manifest » --replace

    # asset show {0} -L lib
    library @ {0} =64 » -L lib

    # asset set {0} -L lib --title Fixed ; asset show {0} -L lib
    library @ {0} --title Fixed =64 » -L lib
    favorite --favorite no
    hidden --hidden yes
    date --date 2020-01-02T03:04:05Z
    location --location 1,2
    title @ {0} -L lib --rating 2 ; asset show {0} -L lib » --title Other
    \(texts)
    keyword --keyword +word
    keywords --keywords one,two
    person --person +Ann
    rating --rating 4
    label --label red

    # asset delete {0} -L lib =64
    library @ {0} --yes =64 » -L lib
    yes --yes

    # asset restore {trash} -L lib
    library @ {trash} =64 » -L lib

    # asset purge {trash} -L lib =64
    library @ {trash} --yes =64 » -L lib
    all @ -L lib --yes =64 » --all
    yes --yes

    # asset export {1} -L lib -o away
    library @ {1} -o away =64 » -L lib
    where @ -L lib -o away =64 » --where favorite=1
    album @ -L lib -o away =64 » --album Lisbon
    all @ -L lib -o away =64 » --all
    output @ {1} -L lib =64 » -o away
    variant --variant original
    split-motion-photos @ {motion} -L lib -o away » --split-motion-photos
    apple-names @ {titled} -L lib -o away --variant all » --apple-names
    template --template {created.year}/{name}
    embed-metadata @ {titled} -L lib -o away » --embed-metadata no
    fit --fit 9
    aspect --aspect 1:3
    gravity @ {1} -L lib -o away --aspect 1:3 » --gravity west
    srgb ! the photos are in sRGB
    sharpen-for --sharpen-for print
    max-bytes @ {1} -L lib -o away --progressive » --max-bytes 9 =65
    progressive --progressive
    keep --keep copyright
    sidecar --sidecar xmp
    update --update
    delete-extra --delete-extra
    link @ {titled} -L lib -o away --template {album}/{name} » --link
    touch-file --touch-file
    force @ {occupied} -L lib -o photos =73 » -f

    # asset pair {half} {halfmovie} -L lib
    library @ {half} {halfmovie} -f =64 » -L lib
    force @ {half} {halfmovie} -L lib =65 » -f

    # asset unpair {live} -L lib
    library @ {live} =64 » -L lib

    # asset burst show {burst1} -L lib
    library @ show {burst1} =64 » -L lib
    keep-picked @ pick {burst1} -L lib --yes » --keep-picked
    yes @ pick {burst1} --keep-picked -L lib =64 » --yes

    # asset duplicates -L lib
    library @ =64 » -L lib
    by --by digest
    merge --merge =64
    yes @ --merge -L lib =64 » --yes

    # album create New -L lib ; folder list Trips -L lib
    library @ New =64 » -L lib
    folder --folder Trips

    # album list -L lib
    library @ =64 » -L lib
    smart --smart

    # album show Lisbon -L lib
    library @ Lisbon =64 » -L lib

    # album add Lisbon {2} -L lib
    library @ Lisbon {2} =64 » -L lib

    # album remove Lisbon {0} -L lib
    library @ Lisbon {0} =64 » -L lib

    # album insert Lisbon {2} -L lib ; album show Lisbon -L lib
    library @ Lisbon {2} =64 » -L lib
    index --index 1

    # album move Lisbon {0} -L lib ; album show Lisbon -L lib
    library @ Lisbon {0} =64 » -L lib
    index --index 1

    # album rename Lisbon Porto -L lib
    library @ Lisbon Porto =64 » -L lib

    # album delete Lisbon -L lib =64
    library @ Lisbon --yes =64 » -L lib
    yes --yes

    # folder create New -L lib ; folder list Trips -L lib
    library @ New =64 » -L lib
    folder --folder Trips

    # folder list -L lib
    library @ =64 » -L lib

    # folder add Trips Lisbon -L lib
    library @ Trips Lisbon =64 » -L lib

    # folder remove Trips Inside -L lib
    library @ Trips Inside =64 » -L lib

    # folder rename Trips Tours -L lib
    library @ Trips Tours =64 » -L lib

    # folder delete Trips -L lib =64
    library @ Trips --yes =64 » -L lib
    yes --yes

    # moment list -L lib
    library @ =64 » -L lib
    year --year 1990

    # changes -L lib
    library @ =64 » -L lib
    since --since {token}
    follow ! it runs until it is stopped; the tests of changes stop it

    # preset edited.jpg
    output @ edited.jpg =64 » -o p.json
    force @ edited.jpg -o look.json =73 » -f

    # bake --filter sepia -o out.cube
    filter --filter invert
    preset --preset vivid.json
    graph @ --filter invert -o out.cube » --graph look.json
    attachment @ --graph cube.json -o out.cube =65 » --attachment away/lut.cube
    background @ -o out.cube =64 » --background #ff0000
    size --size 5
    title --title Sepia
    output @ --filter sepia =64 » -o other.cube
    force @ --filter sepia -o away/lut.cube =73 » -f

    # plan manifest.jsonl --graph look.json -o out2 --run run2 --root photos
    graph @ manifest.jsonl -o out2 --run run2 --root photos =64 » --graph look.json
    output @ manifest.jsonl --graph look.json --run run2 --root photos =64 » -o out2
    run @ manifest.jsonl --graph look.json -o out2 --root photos =64 » --run run2
    root @ manifest.jsonl --graph look.json -o out2 --run run2 » --root photos
    shard-bytes --shard-bytes 1
    shard-lines --shard-lines 1
    resume @ --run run =64 » --resume
    retry-failed @ --resume --run failedrun » --retry-failed
    estimate @ manifest.jsonl --graph look.json --root photos =64 » --estimate
    cores @ manifest.jsonl --graph look.json --root photos --estimate » --cores 7
    price @ manifest.jsonl --graph look.json --root photos --estimate » --price core-hour=1
    quality --quality 30
    strip --strip all
    dither --dither tpdf
    lenient --lenient

    # worker
    quality < photo.jpg » --quality 30
    strip < photo.jpg » --strip all
    dither < deep.png » --dither tpdf
    lenient < cut.jpg » --lenient
    max-pixels < photo.jpg » --max-pixels 9
    max-dimension < photo.jpg » --max-dimension 9
    max-scans < progressive.jpg » --max-scans 1
    max-memory < photo.jpg » --max-memory 1K
    threads ! only the time differs
    max-seconds ! an image that takes a second of processor time is too slow for the tests

    # mcp
    allow-edits < tools » --allow-edits

    # collect run =1
    check @ damagedrun » --check =65
    failed --failed new.jsonl =1
    into --into photos =1
    replace @ run --into editedphotos =1 » --replace =1
    sweep @ litteredrun » --sweep

    # version
    check ! the kernels of this machine are right, so it prints nothing else
    """
}
