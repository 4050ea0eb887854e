// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditCommandLine
import PhotoEditVideo

DecoderProgram.runIfStarted(.video)
Program.description.main()
