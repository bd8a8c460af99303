// Copyright (c) 2026 fieldops.openshift contributors
// GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
// SPDX-License-Identifier: GPL-3.0-or-later

package main

import (
	"context"
	"sort"

	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	mcfgclient "github.com/openshift/client-go/machineconfiguration/clientset/versioned"
	mcfgtyped "github.com/openshift/client-go/machineconfiguration/clientset/versioned/typed/machineconfiguration/v1"
	buildconstants "github.com/openshift/machine-config-operator/pkg/controller/build/constants"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// namedBuilds lists builds so that the node controller, which takes the first one of a pool's configuration, takes the
// one that the MachineOSConfig names, as it does by itself in releases since OCPBUGS-63006 (November 2025). Before, an
// image that was built from another Containerfile but the same configuration may never be rolled out.
type namedBuilds struct{ mcfgclient.Interface }

type namedBuildsV1 struct {
	mcfgtyped.MachineconfigurationV1Interface
}

type namedBuildsLister struct {
	mcfgtyped.MachineOSBuildInterface
	configs mcfgtyped.MachineOSConfigInterface
}

func (n namedBuilds) MachineconfigurationV1() mcfgtyped.MachineconfigurationV1Interface {
	return namedBuildsV1{n.Interface.MachineconfigurationV1()}
}

func (n namedBuildsV1) MachineOSBuilds() mcfgtyped.MachineOSBuildInterface {
	return namedBuildsLister{n.MachineconfigurationV1Interface.MachineOSBuilds(), n.MachineOSConfigs()}
}

func (n namedBuildsLister) List(ctx context.Context, options metav1.ListOptions) (*mcfgv1.MachineOSBuildList, error) {
	builds, err := n.MachineOSBuildInterface.List(ctx, options)
	if err != nil {
		return nil, err
	}
	configs, err := n.configs.List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, err
	}
	named := map[string]bool{}
	for _, config := range configs.Items {
		named[config.Annotations[buildconstants.CurrentMachineOSBuildAnnotationKey]] = true
	}
	sort.SliceStable(builds.Items, func(i, j int) bool {
		return named[builds.Items[i].Name] && !named[builds.Items[j].Name]
	})
	return builds, nil
}
