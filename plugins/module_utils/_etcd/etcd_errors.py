# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""What can go wrong with a backup of etcd."""

from __future__ import annotations

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import FieldOpsError


class EtcdBackupError(FieldOpsError):
    """The script of the cluster created no backup, or the folder of the backups is not trusted."""

    kind = "etcd_backup"
