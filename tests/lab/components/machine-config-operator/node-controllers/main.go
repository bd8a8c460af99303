// Copyright (c) 2026 fieldops.openshift contributors
// GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
// SPDX-License-Identifier: GPL-3.0-or-later

// Command node-controllers runs those of upstream's controllers that decide about nodes: the node controller
// (who is next, and the status of pools), the drain controller and the controller of PinnedImageSets, each unchanged; and
// if it is asked to, the one that renders. It leaves out those that need what the lab does not have: templates,
// certificates, and an election of leaders among several. Source: machine-config-operator, cmd/machine-config-controller/start.go.
package main

import (
	"context"
	"flag"
	"os/signal"
	"syscall"
	"time"

	configv1 "github.com/openshift/api/config/v1"
	"github.com/openshift/api/features"
	configclient "github.com/openshift/client-go/config/clientset/versioned"
	configinformers "github.com/openshift/client-go/config/informers/externalversions"
	mcfgclient "github.com/openshift/client-go/machineconfiguration/clientset/versioned"
	mcfginformers "github.com/openshift/client-go/machineconfiguration/informers/externalversions"
	ctrlcommon "github.com/openshift/machine-config-operator/pkg/controller/common"
	"github.com/openshift/machine-config-operator/pkg/controller/drain"
	"github.com/openshift/machine-config-operator/pkg/controller/node"
	"github.com/openshift/machine-config-operator/pkg/controller/pinnedimageset"
	"github.com/openshift/machine-config-operator/pkg/controller/render"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"
)

// The shortest time in which upstream's informers list everything again (controller_context.go, minResyncPeriod).
const resync = 20 * time.Minute

func main() {
	kubeconfig := flag.String("kubeconfig", "", "who to be, and on which cluster")
	settle := flag.Duration("settle", 5*time.Second, "how long to let changes settle; upstream has 5s")
	again := flag.Duration("drain-again", time.Minute, "after how long a drain that failed is tried again; upstream has 1m")
	attempt := flag.Duration("drain-attempt", 90*time.Second, "how long one attempt to drain may take; upstream has 1m30s")
	renders := flag.Bool("render", false, "render the configurations of pools, too")
	named := flag.Bool("named-builds", true, "choose OS images as releases since OCPBUGS-63006 do, see namedBuilds")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	access, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	if err != nil {
		klog.Fatalf("read %s: %v", *kubeconfig, err)
	}
	drains := drain.DefaultConfig()
	drains.UpdateDelay, drains.DrainRequeueDelay, drains.DrainHelperTimeout = *settle, *again, *attempt
	run(ctx, access, options{*settle, drains, *renders, *named})
}

type options struct {
	settle         time.Duration
	drains         drain.Config
	renders, named bool
}

func run(ctx context.Context, access *rest.Config, wanted options) {
	// Each of them has clients of its own, as upstream: a client limits its requests to five a second.
	kube := func() kubernetes.Interface { return kubernetes.NewForConfigOrDie(access) }
	mcfg := func() mcfgclient.Interface { return mcfgclient.NewForConfigOrDie(access) }
	kubeInformers := informers.NewSharedInformerFactory(kube(), resync)
	mcfgInformers := mcfginformers.NewSharedInformerFactory(mcfg(), resync)
	configInformers := configinformers.NewSharedInformerFactory(configclient.NewForConfigOrDie(access), resync)
	ours, core := mcfgInformers.Machineconfiguration().V1(), kubeInformers.Core().V1()
	gates := ctrlcommon.NewFeatureGatesHardcodedHandler([]configv1.FeatureGateName{
		features.FeatureGateMachineConfigNodes, features.FeatureGatePinnedImages, features.FeatureGateOnClusterBuild,
	}, nil)

	builds := mcfg()
	if wanted.named {
		builds = namedBuilds{builds}
	}
	nodes := node.NewWithCustomUpdateDelay(
		ours.ControllerConfigs(), ours.MachineConfigs(), ours.MachineConfigPools(), core.Nodes(), core.Pods(),
		ours.MachineOSConfigs(), configInformers.Config().V1().Schedulers(), kube(), builds, wanted.settle, gates,
	)
	drainer := drain.New(wanted.drains, core.Nodes(), ours.MachineConfigPools(), kube(), mcfg(), gates)
	sets := pinnedimageset.New(ours.PinnedImageSets(), ours.MachineConfigPools(), kube(), mcfg())
	renderer := render.New(
		ours.MachineConfigPools(), ours.MachineConfigs(), ours.ControllerConfigs(), ours.ContainerRuntimeConfigs(),
		ours.KubeletConfigs(), kube(), mcfg(),
	)

	kubeInformers.Start(ctx.Done())
	mcfgInformers.Start(ctx.Done())
	configInformers.Start(ctx.Done())
	go nodes.Run(2, ctx.Done())
	go drainer.Run(5, ctx.Done())
	go sets.Run(2, ctx.Done())
	if wanted.renders {
		go renderer.Run(1, ctx.Done())
	}
	<-ctx.Done()
}
