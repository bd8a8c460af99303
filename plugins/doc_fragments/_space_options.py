# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Documentation of the option that says how much space stays free, judged in _node_images/plan/forecast.py."""

from __future__ import annotations


class ModuleDocFragment:
    DOCUMENTATION = r"""
options:
  keep_free_percent:
    description:
      - How much of each file system must stay free, from 0 to 100.
      - Without it 15 percent stay free, and on the file system of the container storage at least so much that the
        kubelet of this node does not begin to remove images. From which use on it does so is read on the node, from
        C(imageGCHighThresholdPercent) in C(/etc/kubernetes/kubelet.conf) and the files in
        C(/etc/openshift/kubelet.conf.d). Where none of them sets it, or it cannot be read, that is 85 percent, the
        kubelet's default. Since the kubelet rounds the use up, 16 percent have to stay free then.
      - The same files are read for C(imagefs.available) and C(nodefs.available) of C(evictionHard) and
        C(evictionSoft). Where one of them is set, it takes the place of the 15 percent, C(imagefs.available) on the
        file system of the container storage and C(nodefs.available) on that of C(/var/lib/kubelet). The strictest of
        all that is set for a file system counts.
      - Given, it is used as it is. Where so little would be left that the kubelet removes images or evicts pods, the
        task goes on and warns.
    type: int
"""
