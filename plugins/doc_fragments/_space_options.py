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
      - The percentage of each file system that must stay free, from 0 to 100.
      - By default, 15 percent must stay free, and on the file system of the container storage at least enough that
        the kubelet of this node does not start to remove images. The disk usage at which the kubelet starts to remove
        images is read from C(imageGCHighThresholdPercent) in C(/etc/kubernetes/kubelet.conf) and the files in
        C(/etc/openshift/kubelet.conf.d). If it is not set or cannot be read, the kubelet default of 85 percent is
        assumed. Because the kubelet rounds the usage up, 16 percent must stay free in that case.
      - C(imagefs.available) and C(nodefs.available) of C(evictionHard) and C(evictionSoft) are read from the same
        files. If they are set, they replace the 15 percent, C(imagefs.available) on the file system of the container
        storage and C(nodefs.available) on the file system of C(/var/lib/kubelet). The strictest setting for a file
        system applies.
      - If this option is set, its value is used as it is. If the kubelet would then remove images or evict pods, the
        task continues with a warning.
    type: int
"""
