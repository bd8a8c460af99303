// Copyright (c) 2026 fieldops.openshift contributors
// GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
// SPDX-License-Identifier: GPL-3.0-or-later

package main

import (
	"context"
	"encoding/json"
	"flag"
	"os"

	configv1 "github.com/openshift/api/config/v1"
	"github.com/openshift/api/features"
	mcfgv1 "github.com/openshift/api/machineconfiguration/v1"
	mcfgclient "github.com/openshift/client-go/machineconfiguration/clientset/versioned"
	ctrlcommon "github.com/openshift/machine-config-operator/pkg/controller/common"
	"github.com/openshift/machine-config-operator/pkg/upgrademonitor"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

type said struct {
	State, Reason, Message string
	Status                 metav1.ConditionStatus
}

// machineConfigNode reads what is to be said of a node, one after another, says it by upstream's package, and prints the
// status of the MachineConfigNode after each, as JSON.
func machineConfigNode(words []string) error {
	flags := flag.NewFlagSet("machine-config-node", flag.ExitOnError)
	kubeconfig := flags.String("kubeconfig", "", "who to be, and on which cluster")
	name := flags.String("node", "", "of which node")
	pool := flags.String("pool", "", "the pool of the node")
	_ = flags.Parse(words)
	var all []struct{ Parent, Child *said }
	if err := json.NewDecoder(os.Stdin).Decode(&all); err != nil {
		return err
	}
	access, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	if err != nil {
		return err
	}
	ctx, mcfg := context.Background(), mcfgclient.NewForConfigOrDie(access)
	node, err := kubernetes.NewForConfigOrDie(access).CoreV1().Nodes().Get(ctx, *name, metav1.GetOptions{})
	if err != nil {
		return err
	}
	gates := ctrlcommon.NewFeatureGatesHardcodedHandler([]configv1.FeatureGateName{
		features.FeatureGateMachineConfigNodes, features.FeatureGatePinnedImages,
	}, nil)
	seen := []mcfgv1.MachineConfigNodeStatus{}
	for _, one := range all {
		parent, parentStatus := one.Parent.condition()
		child, childStatus := one.Child.condition()
		err := upgrademonitor.GenerateAndApplyMachineConfigNodes(parent, child, parentStatus, childStatus, node, mcfg, gates, *pool)
		if err != nil {
			return err
		}
		found, err := mcfg.MachineconfigurationV1().MachineConfigNodes().Get(ctx, *name, metav1.GetOptions{})
		if err != nil {
			return err
		}
		seen = append(seen, found.Status)
	}
	return json.NewEncoder(os.Stdout).Encode(seen)
}

func (s *said) condition() (*upgrademonitor.Condition, metav1.ConditionStatus) {
	if s == nil {
		return nil, metav1.ConditionFalse
	}
	return &upgrademonitor.Condition{State: mcfgv1.StateProgress(s.State), Reason: s.Reason, Message: s.Message}, s.Status
}
