// Copyright (c) 2026 fieldops.openshift contributors
// GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
// SPDX-License-Identifier: GPL-3.0-or-later

module fieldops.openshift/lab/components/receptor

go 1.26.0

tool github.com/ansible/receptor/cmd/receptor-cl

require github.com/ansible/receptor v1.4.1

require github.com/quic-go/quic-go v0.48.2
