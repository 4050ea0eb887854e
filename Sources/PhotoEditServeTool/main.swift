// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditCommandLine

DecoderProgram.runIfStarted()
Program.description.main()
