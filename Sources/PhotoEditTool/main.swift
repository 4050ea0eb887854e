// SPDX-License-Identifier: Apache-2.0
import CommandLineKit

Program.description.main()
