# SPDX-FileCopyrightText: 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

# Each target installs what it needs; everything built or downloaded is kept outside the tree,
# in $FIELDOPS_CACHE (default ~/.cache/fieldops-openshift). ONLY=words runs the gates whose names contain them.

PYTHON ?= python3
ONLY ?=
LAB ?=
PLAY ?=
VARS ?=
DO ?= status
WINDOW ?=
FAIL ?=
NODES ?=
ADDRESS ?=
KIT ?=
SECONDS ?= 60
GATES = PYTHONDONTWRITEBYTECODE=1 $(PYTHON) -m tests.gates

.PHONY: demo test test-all lint unit integration lab lab-up lab-play lab-down bench faults fuzz mutants docs pages archive kit clean

demo: ## the main job on the lab; WINDOW=closed, FAIL=node2 or FAIL=power for the other stories, NODES=1+2 for fewer nodes
	@$(GATES) demo $(if $(WINDOW),--window "$(WINDOW)") $(if $(FAIL),--fail "$(FAIL)") $(if $(NODES),--nodes "$(NODES)")

test: ## everything that must pass
	@$(GATES) test $(if $(ONLY),"$(ONLY)")

test-all: ## that, the tests that are marked as long, and the whole sanity of each core; hours
	@$(GATES) test-all $(if $(ONLY),"$(ONLY)")

lint: ## gates that read the tree
	@$(GATES) lint $(if $(ONLY),"$(ONLY)")

unit: ## unit tests on each supported core
	@$(GATES) unit $(if $(ONLY),"$(ONLY)")

integration: ## tests against real parts
	@$(GATES) integration $(if $(ONLY),"$(ONLY)")

lab-up: ## a lab with OpenShift's own operators, see docs/lab.md; LAB="--control-plane 3" and the like change its shape
	@$(GATES) lab up --profile openshift $(LAB)

lab-play: ## PLAY=update_site VARS=@file: a playbook as it is in this checkout now, on that lab
	@$(GATES) lab play "$(PLAY)" $(if $(VARS),-e "$(VARS)")

lab: ## DO="break worker-0 no-kubelet" and the like: what can be done with that lab; DO=--help says what
	@$(GATES) lab $(DO)

lab-down: ## end it, and remove what is left of any lab
	@$(GATES) lab down

bench: ## figures beside named peers, one benchmark after another; ONLY=words chooses some
	@$(GATES) bench $(if $(ONLY),"$(ONLY)")

faults: ## jobs that are killed at each write to the cluster, and two jobs at once, in full; more than an hour
	@$(GATES) test-all "integration faults"

fuzz: ## hostile content for every reader of what comes from outside, SECONDS=60 each; ONLY=words chooses some
	@$(GATES) fuzz "$(SECONDS)" $(if $(ONLY),"$(ONLY)")

mutants: ## changes to each place of the code that decides, which a unit test must notice; ONLY=words chooses modules
	@$(GATES) mutants $(if $(ONLY),"$(ONLY)")

docs: ## the documentation site: all pages, roles and plugins, without network and without a warning
	@$(GATES) docs

pages: ## what is made of other files: pages of variables, permissions and metrics, surveys, manifests of jobs
	@$(GATES) pages

archive: ## the collection as it is published; ADDRESS=https://host/owner/name is where its repository will be
	@rm -f fieldops-openshift-*.tar.gz
	@$(GATES) archive $(if $(ADDRESS),"$(ADDRESS)")

kit: ## what a laptop at a site needs, beside a bundle: KIT=/media/usb/kit; VARS=@file for more variables of create_kit
	@$(GATES) kit "$(KIT)" $(if $(VARS),"$(VARS)")

clean: ## remove what runs leave in the tree; the cache outside it stays
	@rm -rf .ansible .hypothesis .mypy_cache .pytest_cache .ruff_cache collections importer_result.json tests/output fieldops-openshift-*.tar.gz
