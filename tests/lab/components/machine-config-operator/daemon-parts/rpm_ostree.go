// Copyright (c) 2026 fieldops.openshift contributors
// GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
// SPDX-License-Identifier: GPL-3.0-or-later

package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/openshift/machine-config-operator/pkg/daemon"
)

// rpmOstree asks the daemon's client one question and prints what it makes of the program's answer, as JSON.
func rpmOstree(words []string) error {
	client := daemon.NewNodeUpdaterClient()
	words = append(words, "", "")
	questions := map[string]func() (any, error){
		"booted-image": func() (any, error) {
			image, version, checksum, err := client.GetBootedOSImageURL()
			return map[string]string{"image": image, "version": version, "checksum": checksum}, err
		},
		"deployments": func() (any, error) {
			booted, staged, err := client.GetBootedAndStagedDeployment()
			return map[string]any{"booted": booted, "staged": staged}, err
		},
		"is-new-enough": func() (any, error) { return client.IsNewEnoughForLayering() },
		"rebase":        func() (any, error) { return nil, client.RebaseLayered(words[1]) },
		"rebase-from-container-storage": func() (any, error) {
			return nil, client.RebaseLayeredFromContainerStorage(words[1])
		},
		"status": func() (any, error) { return client.GetStatus() },
	}
	ask, known := questions[words[0]]
	if !known {
		return fmt.Errorf("no question is called %q", words[0])
	}
	answer, err := ask()
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(answer)
}
