// Copyright (c) 2026 fieldops.openshift contributors
// GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
// SPDX-License-Identifier: GPL-3.0-or-later

package v1alpha1

// Policy is the former name of ImageSigstoreVerificationPolicy, under which the machine-config operator knows it.
type Policy = ImageSigstoreVerificationPolicy
