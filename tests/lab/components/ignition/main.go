// Copyright (c) 2026 fieldops.openshift contributors
// GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
// SPDX-License-Identifier: GPL-3.0-or-later

// Command ignition-stubs asks Ignition and its converter about stubs. It reads a list of
//
//	{"stub": a configuration of specification 2, "ours": the same as specification 3, or null}
//
// and prints for each what upstream converts the stub to or why it refuses it, and what Ignition finds wrong with ours.
//
// Upstream: ignition 0.35, config/v2_4; ign-converter, translate/v24tov31; ignition 2, config/v3_2.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/coreos/ign-converter/translate/v24tov31"
	"github.com/coreos/ignition/config/v2_4"
	"github.com/coreos/ignition/v2/config/v3_2"
	"github.com/coreos/ignition/v2/config/v3_2/translate"
	"github.com/coreos/ignition/v2/config/v3_2/types"
)

type question struct {
	Stub json.RawMessage `json:"stub"`
	Ours json.RawMessage `json:"ours"`
}

type answer struct {
	Converted *types.Config `json:"converted"`
	Refused   string        `json:"refused"`
	Flaws     string        `json:"flaws"`
}

func main() {
	var questions []question
	if err := json.NewDecoder(os.Stdin).Decode(&questions); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	answers := make([]answer, len(questions))
	for at, one := range questions {
		converted, err := convert(one.Stub)
		if err != nil {
			answers[at].Refused = err.Error()
		} else {
			answers[at].Converted = &converted
		}
		if string(one.Ours) != "null" {
			answers[at].Flaws = flaws(one.Ours)
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(answers); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func convert(stub []byte) (types.Config, error) {
	old, report, err := v2_4.Parse(stub)
	if err != nil {
		return types.Config{}, fmt.Errorf("%w\n%s", err, report.String())
	}
	converted, err := v24tov31.Translate(old, nil)
	if err != nil {
		return types.Config{}, err
	}
	return translate.Translate(converted), nil
}

// flaws are errors and warnings; a field that Ignition does not know is a warning.
func flaws(ours []byte) string {
	_, report, err := v3_2.Parse(ours)
	if err != nil {
		return fmt.Sprintf("%v\n%s", err, report.String())
	}
	return report.String()
}
