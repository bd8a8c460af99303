// Copyright (c) 2026 fieldops.openshift contributors
// GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
// SPDX-License-Identifier: GPL-3.0-or-later

// Command cluster-version-operator is upstream's operator with flags for what upstream's command does not let set: how
// often it reconciles, and which ClusterOperators it takes to have waited for longer than it is patient.
//
// Upstream: cluster-version-operator, cmd/cluster-version-operator/start.go and pkg/start.
package main

import (
	"context"
	"flag"
	"strings"
	"time"

	"github.com/openshift/cluster-version-operator/pkg/payload"
	"github.com/openshift/cluster-version-operator/pkg/start"
	"k8s.io/klog/v2"
)

// Longer than the 40 minutes after which a degraded ClusterOperator fails an update (pkg/cvo/status.go).
const outOfPatience = 41 * time.Minute

func main() {
	options := start.NewOptions()
	klog.InitFlags(nil)
	flag.StringVar(&options.ReleaseImage, "release-image", "", "the release that this operator belongs to, by digest")
	flag.DurationVar(&options.ResyncInterval, "resync", options.ResyncInterval,
		"least time between two reconciliations; retries after errors scale with it")
	waited := flag.String("waited", "", "names of ClusterOperators, with commas between them, that count as waited for")
	flag.Parse()
	// Metrics need a serving certificate, and recommended updates a service that the lab has not.
	options.ListenAddr = ""
	options.EnableAutoUpdate = false
	if err := options.ValidateAndComplete(); err != nil {
		klog.Fatal(err)
	}
	go keepWaitedFor(strings.FieldsFunc(*waited, func(char rune) bool { return char == ',' }))
	if err := options.Run(context.Background()); err != nil {
		klog.Fatal(err)
	}
}

// keepWaitedFor records an early start of waiting for operators before upstream does. Each attempt at a payload forgets
// these times, and the first one recorded counts (pkg/payload/task.go).
func keepWaitedFor(names []string) {
	for len(names) > 0 {
		for _, name := range names {
			payload.COUpdateStartTimesAt(name, time.Now().Add(-outOfPatience))
		}
		time.Sleep(time.Millisecond)
	}
}
