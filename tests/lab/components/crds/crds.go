// Copyright (c) 2026 fieldops.openshift contributors
// GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
// SPDX-License-Identifier: GPL-3.0-or-later

// Package crds pins github.com/openshift/api, whose module directory carries OpenShift's CustomResourceDefinitions.
// Nothing is compiled from it: the lab reads the YAML files.
package crds

import _ "github.com/openshift/api/config/v1"
