// Copyright (c) 2026 fieldops.openshift contributors
// GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
// SPDX-License-Identifier: GPL-3.0-or-later

package main

import (
	"context"
	"flag"
	"os/signal"
	"syscall"
	"time"

	configv1 "github.com/openshift/api/config/v1"
	"github.com/openshift/api/features"
	mcfgclient "github.com/openshift/client-go/machineconfiguration/clientset/versioned"
	mcfginformers "github.com/openshift/client-go/machineconfiguration/informers/externalversions"
	ctrlcommon "github.com/openshift/machine-config-operator/pkg/controller/common"
	"github.com/openshift/machine-config-operator/pkg/daemon"
	"github.com/openshift/machine-config-operator/pkg/daemon/constants"
	"github.com/openshift/machine-config-operator/pkg/daemon/cri"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

// The shortest time in which upstream's informers list everything again (controller_context.go, minResyncPeriod).
const resync = 20 * time.Minute

// pinnedImageSets runs the manager for one node as cmd/machine-config-daemon/start.go does, over a played CRI-O. The
// manager writes to /etc/crio/crio.conf.d and runs podman and systemctl: it is started where these are not the machine's.
func pinnedImageSets(words []string) error {
	flags := flag.NewFlagSet("pinned-image-sets", flag.ExitOnError)
	kubeconfig := flags.String("kubeconfig", "", "who to be, and on which cluster")
	node := flags.String("node", "", "whose images they are")
	images := flags.String("images", "", "the directory of the played CRI-O, see playedRuntime")
	timeout := flags.Duration("timeout", 2*time.Minute, "how long one round may take; upstream has 2m")
	auth := flags.String("auth", "", "the pull secret; upstream has the kubelet's")
	registries := flags.String("registries", "", "registries.conf; upstream has that of /etc/containers")
	_ = flags.Parse(words)
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	access, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	if err != nil {
		return err
	}
	socket, err := serveImages(ctx, *images)
	if err != nil {
		return err
	}
	client, err := cri.NewClient(ctx, socket)
	if err != nil {
		return err
	}
	mcfg := mcfgclient.NewForConfigOrDie(access)
	core := informers.NewSharedInformerFactory(kubernetes.NewForConfigOrDie(access), resync)
	ours := mcfginformers.NewSharedInformerFactory(mcfg, resync)
	gates := ctrlcommon.NewFeatureGatesHardcodedHandler([]configv1.FeatureGateName{
		features.FeatureGateMachineConfigNodes, features.FeatureGatePinnedImages,
	}, nil)
	manager := daemon.NewPinnedImageSetManager(
		*node, client, mcfg, ours.Machineconfiguration().V1().PinnedImageSets(), core.Core().V1().Nodes(),
		ours.Machineconfiguration().V1().MachineConfigPools(),
		resource.MustParse(constants.MinFreeStorageAfterPrefetch), socket, *auth, *registries, *timeout, gates,
	)
	core.Start(ctx.Done())
	ours.Start(ctx.Done())
	manager.Run(2, ctx.Done())
	return nil
}
