// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditTool
import PhotoEditVideo

DecoderProgram.runIfStarted(.video)
Program.description.main()
