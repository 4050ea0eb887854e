// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditTool

DecoderProgram.runIfStarted()
Program.description.main()
