# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Answers after which a command may be sent to a new pod, because none was started."""

from __future__ import annotations

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.answers import Answer
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.helper_pods.node_session import (
    _had_no_container,
)

STOPPED = "Internal error occurred: error executing command in container: container is not created or running"


@pytest.mark.parametrize(
    ("answer", "started_none"),
    [
        pytest.param(Answer(404, reason="NotFound"), True, id="no pod"),
        pytest.param(Answer(500, message="container not found (host)"), True, id="no container"),
        pytest.param(Answer(500, message="pod does not exist"), True, id="a pod that the kubelet does not know"),
        pytest.param(Answer(500, message=STOPPED), True, id="a container that has just ended"),
        pytest.param(Answer(500, message="Internal error occurred: etcdserver: timeout"), False, id="another failure"),
        pytest.param(Answer(403, reason="Forbidden"), False, id="a refusal"),
    ],
)
def test_an_answer(answer: Answer, started_none: bool) -> None:
    assert _had_no_container(answer) is started_none
