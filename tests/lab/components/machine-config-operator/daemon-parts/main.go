// Copyright (c) 2026 fieldops.openshift contributors
// GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
// SPDX-License-Identifier: GPL-3.0-or-later

// Command daemon-parts runs parts of the machine-config daemon by themselves, each unchanged, so that actors can be held
// to them: its manager of PinnedImageSets, its client of the program rpm-ostree, how it writes MachineConfigNodes, and
// which pools it takes a node to be in. The daemon itself would change the root file system that it finds.
package main

import (
	"fmt"
	"os"
)

func main() {
	parts := map[string]func([]string) error{
		"machine-config-node": machineConfigNode,
		"pinned-image-sets":   pinnedImageSets,
		"pools-of-node":       poolsOfNode,
		"rpm-ostree":          rpmOstree,
	}
	if len(os.Args) < 2 || parts[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "say which part: machine-config-node, pinned-image-sets, pools-of-node or rpm-ostree")
		os.Exit(2)
	}
	if err := parts[os.Args[1]](os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
