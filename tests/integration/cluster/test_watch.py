# Copyright (c) 2026 fieldops.openshift contributors
# GNU General Public License v3.0+ (see LICENSES/GPL-3.0-or-later.txt or https://www.gnu.org/licenses/gpl-3.0.txt)
# SPDX-License-Identifier: GPL-3.0-or-later

"""Watching: what there is, what changes, and what changed while nobody could look."""

from __future__ import annotations

import contextlib
import http.client
import threading
import typing as t
import uuid

import pytest

from ansible_collections.fieldops.openshift.plugins.module_utils._cluster import watch as watch_module
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.api_error import ApiError
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.await_object import (
    AwaitedFailedError,
    Observation,
    Verdict,
    await_object,
    observe_object,
)
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.calls import Call
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.client import ClusterClient
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.watch import WatchTarget, watch
from ansible_collections.fieldops.openshift.plugins.module_utils._cluster.watch_events import WatchEvent
from ansible_collections.fieldops.openshift.plugins.module_utils._host.clock import SystemClock
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.deadline import Deadline
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import DeadlineExceededError
from ansible_collections.fieldops.openshift.plugins.module_utils._terms.object_kinds import CONFIG_MAP, ObjectKind
from ansible_collections.fieldops.openshift.tests.integration.cluster.etcd_access import compact
from ansible_collections.fieldops.openshift.tests.integration.cluster.objects import config_map

if t.TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ansible_collections.fieldops.openshift.tests.integration.cluster.network import Forwarder, SilentServer
    from ansible_collections.fieldops.openshift.tests.lab.api_server import ApiServer

LONG = 60.0


def within(seconds: float) -> Deadline:
    return Deadline(seconds, SystemClock())


def told(events: Iterator[WatchEvent], count: int) -> list[str]:
    """Return the next events, each as its type and the name of its object."""
    return [_words(next(events)) for _again in range(count)]


def told_until(events: Iterator[WatchEvent], last: str) -> list[str]:
    """Return the next events up to the one that reads ``last``."""
    words: list[str] = []
    while not words or words[-1] != last:
        words.append(_words(next(events)))
    return words


def _words(event: WatchEvent) -> str:
    if event.object is None:
        return event.type
    return f"{event.type} {event.object['metadata']['name']}"


def write(server: ApiServer, namespace: str, name: str, **data: str) -> None:
    _after_restart(server, lambda: server.rest.apply(config_map(name, namespace, **data)))


def remove(server: ApiServer, namespace: str, name: str) -> None:
    _after_restart(server, lambda: server.rest.delete(f"/api/v1/namespaces/{namespace}/configmaps/{name}"))


def _after_restart(server: ApiServer, act: Callable[[], t.Any]) -> None:
    """Act, also when the lab's own client finds that the connection it kept did not survive a restart."""
    with contextlib.suppress(OSError, http.client.HTTPException):
        server.rest.get("/version")
    act()


@pytest.fixture
def elsewhere(own_server: ApiServer) -> str:
    """The name of a fresh namespace on the server that may be restarted."""
    name = f"test-{uuid.uuid4().hex[:8]}"
    namespace = {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}
    _after_restart(own_server, lambda: own_server.rest.apply(namespace))
    return name


def test_what_there_is_and_what_changes(admin: ClusterClient, api_server: ApiServer, namespace: str) -> None:
    write(api_server, namespace, "a")
    events = watch(admin, WatchTarget(CONFIG_MAP, namespace), within(LONG))
    assert told(events, 2) == ["ADDED a", "SYNCED"]
    write(api_server, namespace, "b")
    write(api_server, namespace, "a", k="v")
    remove(api_server, namespace, "b")
    assert told(events, 3) == ["ADDED b", "MODIFIED a", "DELETED b"]


def test_selectors_narrow_a_watch(admin: ClusterClient, api_server: ApiServer, namespace: str) -> None:
    write(api_server, namespace, "other")
    events = watch(admin, WatchTarget(CONFIG_MAP, namespace, fields="metadata.name=mine"), within(LONG))
    assert told(events, 1) == ["SYNCED"]
    write(api_server, namespace, "other", k="v")
    write(api_server, namespace, "mine")
    assert told(events, 1) == ["ADDED mine"]


def test_a_watch_ends_at_its_deadline(admin: ClusterClient, namespace: str) -> None:
    deadline = within(1.5)
    assert [event.type for event in watch(admin, WatchTarget(CONFIG_MAP, namespace), deadline)] == ["SYNCED"]
    assert 1.5 <= deadline.elapsed < 4


@pytest.mark.usefixtures("library")
def test_a_cut_connection_is_resumed_without_another_list(
    api_server: ApiServer, connect: t.Any, namespace: str, forwarder: Forwarder
) -> None:
    client = connect(host=forwarder.url, ca_cert=str(api_server.ca_file), api_key=api_server.admin_token)
    mark = api_server.audit.mark()
    events = watch(client, WatchTarget(CONFIG_MAP, namespace), within(LONG))
    write(api_server, namespace, "a")
    assert told(events, 2) == ["ADDED a", "SYNCED"]
    write(api_server, namespace, "b")
    assert told(events, 1) == ["ADDED b"]
    forwarder.cut()
    write(api_server, namespace, "c")
    assert told(events, 3) == ["OUTAGE", "RESUMED", "ADDED c"]
    assert api_server.audit.count(mark, verb="list", resource="configmaps") == 1


def test_a_restart_of_the_server(own_server: ApiServer, connect: t.Any, elsewhere: str, library: str) -> None:
    assert library
    client = connect(kubeconfig=str(own_server.kubeconfig))
    for name in ("same", "gone", "changed"):
        write(own_server, elsewhere, name)
    events = watch(client, WatchTarget(CONFIG_MAP, elsewhere), within(LONG))
    told_until(events, "SYNCED")
    own_server.stop()
    outage = next(events)
    assert outage.type == "OUTAGE"
    assert outage.answer is not None
    assert outage.answer.status is None
    restarting = threading.Thread(target=_restart_and_change, args=(own_server, elsewhere))
    restarting.start()
    seen = told_until(events, "ADDED new")
    restarting.join()
    assert seen[0] == "RESUMED"
    assert {"DELETED gone", "MODIFIED changed", "ADDED new"} <= set(seen)
    assert not [words for words in seen if words.endswith(" same")]


def _restart_and_change(server: ApiServer, elsewhere: str) -> None:
    server.start()
    remove(server, elsewhere, "gone")
    write(server, elsewhere, "changed", k="v")
    write(server, elsewhere, "new")


def test_a_lost_history_is_told_as_changes(own_server: ApiServer, connect: t.Any, elsewhere: str) -> None:
    with_history = connect(kubeconfig=str(own_server.kubeconfig))
    write(own_server, elsewhere, "gone")
    write(own_server, elsewhere, "changed")
    events = watch(with_history, WatchTarget(CONFIG_MAP, elsewhere), within(LONG))
    told_until(events, "SYNCED")
    own_server.stop()
    assert told(events, 1) == ["OUTAGE"]
    own_server.start()
    remove(own_server, elsewhere, "gone")
    write(own_server, elsewhere, "changed", k="v")
    compact(own_server)
    # The server's memory of events begins with its start: a second start after the changes knows nothing of them.
    own_server.stop()
    own_server.start()
    mark = own_server.audit.mark()
    assert told(events, 4) == ["RESUMED", "DELETED gone", "MODIFIED changed", "SYNCED"]
    assert own_server.audit.count(mark, verb="list", resource="configmaps") == 1
    write(own_server, elsewhere, "later")
    assert told(events, 1) == ["ADDED later"]


@pytest.fixture
def watcher(api_server: ApiServer, connect: t.Any, namespace: str, forwarder: Forwarder) -> ClusterClient:
    """A user who may watch ConfigMaps until ``forbid_watching``."""
    role = {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "Role",
        "metadata": {"name": "watcher", "namespace": namespace},
        "rules": [{"apiGroups": [""], "resources": ["configmaps"], "verbs": ["list", "watch"]}],
    }
    api_server.rest.apply(role)
    permit_watching(api_server, namespace)
    token = api_server.token_of("observer")
    client: ClusterClient = connect(host=forwarder.url, ca_cert=str(api_server.ca_file), api_key=token)
    while client.attempt(Call("list", CONFIG_MAP, namespace=namespace)).status == 403:
        pass
    return client


def permit_watching(server: ApiServer, namespace: str) -> None:
    binding = {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "RoleBinding",
        "metadata": {"name": "watcher", "namespace": namespace},
        "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "User", "name": "observer"}],
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": "watcher"},
    }
    server.rest.apply(binding)


def forbid_watching(server: ApiServer, namespace: str) -> None:
    server.rest.delete(f"/apis/rbac.authorization.k8s.io/v1/namespaces/{namespace}/rolebindings/watcher")


def test_a_passing_refusal_of_what_was_granted_is_an_outage(
    watcher: ClusterClient, api_server: ApiServer, namespace: str, forwarder: Forwarder
) -> None:
    events = watch(watcher, WatchTarget(CONFIG_MAP, namespace), within(LONG))
    assert told(events, 1) == ["SYNCED"]
    forbid_watching(api_server, namespace)
    while watcher.attempt(Call("list", CONFIG_MAP, namespace=namespace)).status != 403:
        pass
    forwarder.cut()
    assert told(events, 1) == ["OUTAGE"]
    write(api_server, namespace, "a")
    permit_watching(api_server, namespace)
    assert told(events, 2) == ["RESUMED", "ADDED a"]


def test_a_refusal_at_the_end_of_a_long_outage_is_part_of_it(
    watcher: ClusterClient,
    api_server: ApiServer,
    namespace: str,
    forwarder: Forwarder,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(watch_module, "REFUSAL_GRACE", 2.0)
    events = watch(watcher, WatchTarget(CONFIG_MAP, namespace), within(LONG))
    assert told(events, 1) == ["SYNCED"]
    forwarder.closed = True
    forwarder.cut()
    assert told(events, 1) == ["OUTAGE"]

    def _come_back_without_rights_and_regain_them() -> None:
        forbid_watching(api_server, namespace)
        mark = api_server.audit.mark()
        forwarder.closed = False
        while not [r for r in api_server.audit.requests(mark, user="observer", verb="watch") if r.code == 403]:
            pass
        permit_watching(api_server, namespace)

    coming_back = threading.Timer(2.5, _come_back_without_rights_and_regain_them)
    coming_back.start()
    assert told(events, 1) == ["RESUMED"]
    coming_back.join()


def test_a_lasting_refusal_of_what_was_granted_ends_a_watch(
    watcher: ClusterClient,
    api_server: ApiServer,
    namespace: str,
    forwarder: Forwarder,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(watch_module, "REFUSAL_GRACE", 1.0)
    events = watch(watcher, WatchTarget(CONFIG_MAP, namespace), within(LONG))
    assert told(events, 1) == ["SYNCED"]
    forbid_watching(api_server, namespace)
    forwarder.cut()
    assert told(events, 1) == ["OUTAGE"]
    with pytest.raises(ApiError, match='Bind a role to user "observer"'):
        next(events)


def test_a_server_that_hangs_is_noticed(
    own_server: ApiServer, connect: t.Any, elsewhere: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch_module, "WINDOW", 1.0)
    monkeypatch.setattr(watch_module, "SILENCE_BEYOND_WINDOW", 0.5)
    events = watch(connect(kubeconfig=str(own_server.kubeconfig)), WatchTarget(CONFIG_MAP, elsewhere), within(LONG))
    assert told(events, 1) == ["SYNCED"]
    own_server.freeze()
    try:
        outage = next(events)
    finally:
        own_server.thaw()
    assert outage.type == "OUTAGE"
    assert outage.answer is not None
    assert outage.answer.reason == "Timeout"
    write(own_server, elsewhere, "a")
    assert told(events, 2) == ["RESUMED", "ADDED a"]


def test_a_refusal_ends_a_watch(api_server: ApiServer, connect: t.Any, namespace: str) -> None:
    client = connect(host=api_server.url, ca_cert=str(api_server.ca_file), api_key=api_server.token_of("technician"))
    with pytest.raises(ApiError, match="403 Forbidden"):
        next(watch(client, WatchTarget(CONFIG_MAP, namespace), within(LONG)))
    with pytest.raises(ApiError, match="does not serve this kind"):
        next(watch(client, WatchTarget(ObjectKind("example.com/v1", "Gadget")), within(LONG)))


def test_a_silent_address_is_an_outage(connect: t.Any, black_hole: SilentServer) -> None:
    client = connect(host=black_hole.url, api_key="canary")
    events = list(watch(client, WatchTarget(CONFIG_MAP), within(1.2)))
    assert [event.type for event in events] == ["OUTAGE"]
    assert events[0].answer is not None
    assert events[0].answer.reason == "Timeout"


def color_is(wanted: str) -> t.Any:
    """Return a predicate on a ConfigMap's ``color``; black is a dead end."""

    def _judge(found: t.Any) -> Verdict:
        if found is None:
            return Verdict(False, False, "there is no such ConfigMap")
        color = found["data"]["color"]
        return Verdict(color == wanted, color == "black", f"its color is {color}")

    return _judge


def test_an_object_is_awaited(admin: ClusterClient, api_server: ApiServer, namespace: str) -> None:
    sentences: list[str] = []

    def _go_on(seen: Observation) -> None:
        sentences.append(seen.sentence)
        following = {"there is no such ConfigMap": "red", "its color is red": "green"}.get(seen.sentence)
        if following:
            write(api_server, namespace, "lamp", color=following)

    found = await_object(
        admin, CONFIG_MAP, "lamp", color_is("green"), within(LONG), goal="is green", namespace=namespace, saw=_go_on
    )
    assert found.object is not None
    assert found.object["data"] == {"color": "green"}
    assert sentences == ["there is no such ConfigMap", "its color is red", "its color is green"]


def test_an_object_that_goes_away_is_awaited(admin: ClusterClient, api_server: ApiServer, namespace: str) -> None:
    write(api_server, namespace, "lamp", color="red")

    def _gone(found: t.Any) -> Verdict:
        if found is not None:
            remove(api_server, namespace, "lamp")
        return Verdict(found is None, False, "still there" if found else "gone")

    found = await_object(admin, CONFIG_MAP, "lamp", _gone, within(LONG), goal="is gone", namespace=namespace)
    assert found.sentence == "gone"


def test_a_dead_end_is_an_error_at_once(admin: ClusterClient, api_server: ApiServer, namespace: str) -> None:
    write(api_server, namespace, "lamp", color="black")
    with pytest.raises(AwaitedFailedError) as failed:
        await_object(admin, CONFIG_MAP, "lamp", color_is("green"), within(LONG), goal="is green", namespace=namespace)
    assert str(failed.value).startswith(f"Could not wait until ConfigMap {namespace}/lamp is green on the API server")
    assert failed.value.seen == "its color is black"


def test_a_timeout_names_what_it_waited_for_and_what_it_saw(
    admin: ClusterClient, api_server: ApiServer, namespace: str
) -> None:
    write(api_server, namespace, "lamp", color="red")
    with pytest.raises(DeadlineExceededError) as late:
        await_object(admin, CONFIG_MAP, "lamp", color_is("green"), within(1.2), goal="is green", namespace=namespace)
    assert late.value.attempted == f"wait until ConfigMap {namespace}/lamp is green"
    assert late.value.seen == "after 1 s: its color is red"
    assert late.value.partial == {"last_seen": "its color is red"}


def test_an_observation_ends_without_an_error(admin: ClusterClient, namespace: str) -> None:
    seen = observe_object(admin, CONFIG_MAP, "lamp", color_is("green"), within(1.0), namespace=namespace)
    assert not seen.settled
    assert seen.sentence == "there is no such ConfigMap"


def test_an_outage_is_part_of_the_last_sentence(connect: t.Any) -> None:
    client = connect(host="https://127.0.0.1:1", api_key="canary")
    with pytest.raises(DeadlineExceededError, match="nothing is known of it yet; the API does not answer") as late:
        await_object(client, CONFIG_MAP, "lamp", color_is("green"), within(1.2), goal="is green", namespace="default")
    assert "ConnectionRefused" in late.value.seen


def test_an_object_is_awaited_across_a_restart(own_server: ApiServer, connect: t.Any, elsewhere: str) -> None:
    client = connect(kubeconfig=str(own_server.kubeconfig))
    write(own_server, elsewhere, "lamp", color="red")
    sentences: list[str] = []
    restarting: list[threading.Thread] = []

    def _restart() -> None:
        own_server.start()
        write(own_server, elsewhere, "lamp", color="green")

    def _go_on(seen: Observation) -> None:
        sentences.append(seen.sentence)
        if seen.outage:
            restarting.append(threading.Thread(target=_restart))
            restarting[-1].start()
        elif seen.sentence == "its color is red" and not restarting:
            own_server.stop()

    await_object(
        client, CONFIG_MAP, "lamp", color_is("green"), within(LONG), goal="is green", namespace=elsewhere, saw=_go_on
    )
    restarting[0].join()
    assert sentences[0] == "its color is red"
    assert sentences[1].startswith("its color is red; the API does not answer (")
    assert sentences[-1] == "its color is green"
