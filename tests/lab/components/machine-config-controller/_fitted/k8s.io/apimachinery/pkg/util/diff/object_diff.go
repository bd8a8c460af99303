// Copyright (c) 2026 fieldops.openshift contributors
// GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
// SPDX-License-Identifier: GPL-3.0-or-later

package diff

// ObjectDiff is the former name of Diff, under which library-go asks for it.
func ObjectDiff(a, b any) string { return Diff(a, b) }
