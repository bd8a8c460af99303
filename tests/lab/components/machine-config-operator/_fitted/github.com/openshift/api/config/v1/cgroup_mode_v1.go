// Copyright (c) 2026 fieldops.openshift contributors
// GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
// SPDX-License-Identifier: GPL-3.0-or-later

package v1

// CgroupModeV1 went when no release supported it any more; the machine-config operator still refuses it by this name.
const CgroupModeV1 CgroupMode = "v1"
