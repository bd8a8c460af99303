// Copyright (c) 2026 fieldops.openshift contributors
// GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
// SPDX-License-Identifier: GPL-3.0-or-later

module fieldops.openshift/lab/components/operator-registry

go 1.26.0

tool github.com/operator-framework/operator-registry/cmd/opm

require github.com/operator-framework/operator-registry v1.64.0
