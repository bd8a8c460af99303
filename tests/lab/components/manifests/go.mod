// Copyright (c) 2026 fieldops.openshift contributors
// GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
// SPDX-License-Identifier: GPL-3.0-or-later

// Nothing is compiled from these modules: the lab reads the YAML files that they carry. They are the newest versions
// that can be had as Go modules.
module fieldops.openshift/lab/components/manifests

go 1.26.0

require (
	github.com/openshift/assisted-service v1.0.10-0.20230830164851-6573b5d7021d
	github.com/openshift/hive v1.1.17-0.20230410203125-bb0124b40f86
	github.com/openshift/hypershift/api v0.0.0-20251120083117-dea6d2f24af6
	github.com/openshift/machine-config-operator v0.0.1-0.20250724162154-ab14c8e2843b
	github.com/operator-framework/operator-controller v1.2.0
	github.com/stolostron/siteconfig v0.0.0-20241003162917-06ef126f7eba
	open-cluster-management.io/api v1.1.0
)
