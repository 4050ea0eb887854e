// SPDX-License-Identifier: Apache-2.0
import PhotoEditTool

Program.description.main()
