// Copyright (c) 2026 fieldops.openshift contributors
// GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
// SPDX-License-Identifier: GPL-3.0-or-later

package main

import (
	"encoding/json"
	"os"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	mcfglisters "github.com/openshift/client-go/machineconfiguration/listers/machineconfiguration/v1"
	"github.com/openshift/machine-config-operator/pkg/helpers"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/cache"
)

// poolsOfNode reads lists of a node and its cluster's pools, and prints for each the names of the node's pools or why it
// has none, as JSON.
func poolsOfNode([]string) error {
	var cases []struct {
		Node  *corev1.Node
		Pools []*mcfgv1.MachineConfigPool
	}
	if err := json.NewDecoder(os.Stdin).Decode(&cases); err != nil {
		return err
	}
	answers := []any{}
	for _, one := range cases {
		known := cache.NewIndexer(cache.MetaNamespaceKeyFunc, cache.Indexers{})
		for _, pool := range one.Pools {
			_ = known.Add(pool)
		}
		names, err := helpers.GetPoolNamesForNode(mcfglisters.NewMachineConfigPoolLister(known), one.Node)
		if err != nil {
			answers = append(answers, err.Error())
		} else {
			answers = append(answers, append([]string{}, names...))
		}
	}
	return json.NewEncoder(os.Stdout).Encode(answers)
}
