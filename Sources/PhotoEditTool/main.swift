// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs

DecoderProgram.runIfStarted()
Program.description.main()
