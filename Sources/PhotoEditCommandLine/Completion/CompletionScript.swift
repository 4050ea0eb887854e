// SPDX-License-Identifier: Apache-2.0

/// A shell for which the program writes a completion script.
package enum CompletionShell: String, CaseIterable, ArgumentValue {
  case bash, zsh, fish
}

extension ProgramDescription {
  /// Returns the completion script for a shell, which asks the program at each request.
  ///
  /// The script contains no names of commands or options, so it fits every version of the program.
  package func completionScript(for shell: CompletionShell) -> String {
    let template =
      switch shell {
      case .bash: Self.bash
      case .zsh: Self.zsh
      case .fish: Self.fish
      }
    return template.replacing("PROGRAM", with: name)
      .replacing("COMPLETE", with: Self.completionCommand)
  }

  private static let bash = #"""
    # Completion of PROGRAM for bash; load it with: source <(PROGRAM completions bash)
    _PROGRAM() {
      # Bash also splits the line at ':' and '='; the program gets the words of the command.
      local rest=${COMP_LINE:0:COMP_POINT} words=() piece text i
      for ((i = 0; i <= COMP_CWORD; i++)); do
        text=${rest#"${rest%%[![:space:]]*}"}
        piece=${COMP_WORDS[i]}
        if ((i == COMP_CWORD)); then piece=$text; fi
        if ((i == 0)) || [[ $text != "$rest" ]]; then
          words+=("$piece")
        else
          words[${#words[@]}-1]+=$piece
        fi
        rest=${text#"$piece"}
      done
      local typed=${words[${#words[@]}-1]} marks=$'[\\\\"\']'
      words=("${words[@]//$marks/}")
      local word=${words[${#words[@]}-1]} reply=() kind extent lead

      mapfile -t reply <<<"$(command "${words[0]}" COMPLETE -- "${words[@]:1}" 2>/dev/null)"
      IFS=$'\t' read -r kind extent lead <<<"${reply[0]-}"
      if [[ $extent == partial ]]; then compopt -o nospace; fi

      # Readline replaces only the part after the last character at which it splits words.
      local head='' breaks=''
      if [[ $COMP_WORDBREAKS == *:* ]]; then breaks+=:; fi
      if [[ $COMP_WORDBREAKS == *=* ]]; then breaks+==; fi
      if [[ $breaks && $typed != [\"\']* ]]; then head=${word%"${word##*[$breaks]}"}; fi
      COMPREPLY=()
      for text in "${reply[@]:1}"; do
        text=${text%%$'\t'*}
        text=${text#"$head"}
        if [[ $typed != [\"\']* ]]; then printf -v text %q "$text"; fi
        COMPREPLY+=("$text")
      done

      if [[ $kind == files ]] && ((${#COMPREPLY[@]} == 0)); then
        compopt -o default
      elif [[ $kind == files || $kind == folders ]]; then
        compopt -o filenames
        local action=-f
        if [[ $kind == folders ]]; then action=-d; fi
        while IFS= read -r text; do
          if [[ $text ]]; then COMPREPLY+=("$text"); fi
        done <<<"$(compgen "$action" -- "${word#"$lead"}")"
      fi
    }
    complete -F _PROGRAM PROGRAM

    """#

  private static let zsh = #"""
    #compdef PROGRAM
    # Completion of PROGRAM for zsh; load it with: source <(PROGRAM completions zsh)
    _PROGRAM() {
      local -a arguments reply matches
      local line kind extent lead
      arguments=("${(@)words[1,CURRENT-1]}" "$PREFIX")
      arguments=("${(@Q)arguments}")
      reply=("${(@f)$(
        command "${arguments[1]}" COMPLETE -- "${(@)arguments[2,-1]}" 2>/dev/null
      )}")
      IFS=$'\t' read -r kind extent lead <<<"${reply[1]}"
      for line in "${(@)reply[2,-1]}"; do
        [[ -n $line ]] || continue
        matches+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
      done
      if ((${#matches})); then
        if [[ $extent == partial ]]; then
          _describe -t values value matches -S ''
        else
          _describe -t values value matches
        fi
      fi
      if [[ -n $lead && $kind != words ]]; then compset -P "${(b)lead}"; fi
      case $kind in
        files) _files ;;
        folders) _files -/ ;;
      esac
    }
    if [[ ${funcstack[1]-} == _PROGRAM ]]; then
      _PROGRAM "$@"
    else
      compdef _PROGRAM PROGRAM
    fi

    """#

  private static let fish = #"""
    # Completion of PROGRAM for fish; load it with: PROGRAM completions fish | source
    function __PROGRAM_complete
        set -l words (commandline -opc)
        set -l word (commandline -ct)
        set -l reply (command $words[1] COMPLETE -- $words[2..-1] "$word" 2>/dev/null)
        set -l head (string split \t -- $reply[1])
        for line in $reply[2..-1]
            echo $line
        end
        set -l path (string sub --start (math (string length -- "$head[3]") + 1) -- "$word")
        switch "$head[1]"
            case files
                for file in (__fish_complete_path "$path")
                    echo "$head[3]$file"
                end
            case folders
                for folder in (__fish_complete_directories "$path" '')
                    echo "$head[3]$folder"
                end
        end
    end
    complete -c PROGRAM -f -k -a '(__PROGRAM_complete)'

    """#
}
