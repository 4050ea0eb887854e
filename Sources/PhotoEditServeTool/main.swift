// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine

Program.description.main()
