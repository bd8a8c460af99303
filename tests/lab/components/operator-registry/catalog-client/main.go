// Copyright (c) 2026 fieldops.openshift contributors
// GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
// SPDX-License-Identifier: GPL-3.0-or-later

// Command catalog-client asks a catalog server what OLM asks it, and OLM's library for ranges of versions. It prints
// JSON.
//
//	catalog-client bundles ADDRESS                          the bundles of all packages and channels
//	catalog-client successor ADDRESS PACKAGE CHANNEL NAME   the bundle that takes the place of another one
//	catalog-client ranges                                   reads pairs of a range and a version: whether it holds
//
// Upstream: operator-registry, pkg/client; OLM, pkg/controller/registry/resolver/cache/predicates.go.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"github.com/blang/semver/v4"
	"github.com/operator-framework/operator-registry/pkg/api"
	"github.com/operator-framework/operator-registry/pkg/client"
)

const patience = 60 * time.Second

type bundle struct {
	Package   string   `json:"package"`
	Channel   string   `json:"channel"`
	Name      string   `json:"name"`
	Version   string   `json:"version"`
	Image     string   `json:"image"`
	Replaces  string   `json:"replaces"`
	Skips     []string `json:"skips"`
	SkipRange string   `json:"skipRange"`
}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	answer, err := ask(ctx, os.Args[1:])
	if err == nil {
		err = json.NewEncoder(os.Stdout).Encode(answer)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func ask(ctx context.Context, words []string) (any, error) {
	if len(words) == 1 && words[0] == "ranges" {
		return ranges()
	}
	if len(words) < 2 {
		return nil, fmt.Errorf("not a question: %v", words)
	}
	server, err := client.NewClient(words[1])
	if err != nil {
		return nil, err
	}
	defer server.Close()
	if words[0] == "successor" && len(words) == 5 {
		found, err := server.GetReplacementBundleInPackageChannel(ctx, words[4], words[2], words[3])
		if err != nil {
			return nil, err
		}
		return shown(found), nil
	}
	return bundles(ctx, server)
}

func bundles(ctx context.Context, server *client.Client) (any, error) {
	listed, err := server.ListBundles(ctx)
	if err != nil {
		return nil, err
	}
	found := []bundle{}
	for one := listed.Next(); one != nil; one = listed.Next() {
		found = append(found, shown(one))
	}
	return found, listed.Error()
}

func shown(one *api.Bundle) bundle {
	return bundle{one.PackageName, one.ChannelName, one.CsvName, one.Version, one.BundlePath, one.Replaces, one.Skips,
		one.SkipRange}
}

// ranges answers null where a range is none, as OLM then updates nothing.
func ranges() (any, error) {
	var pairs [][2]string
	if err := json.NewDecoder(os.Stdin).Decode(&pairs); err != nil {
		return nil, err
	}
	answers := make([]any, len(pairs))
	for at, pair := range pairs {
		version, err := semver.Parse(pair[1])
		if err != nil {
			return nil, err
		}
		if holds, err := semver.ParseRange(pair[0]); err == nil {
			answers[at] = holds(version)
		}
	}
	return answers, nil
}
