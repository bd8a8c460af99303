# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ansible_collections.fieldops.openshift.plugins.module_utils._terms.errors import InvalidInputError
from ansible_collections.fieldops.openshift.tests.lab.registry.release_spec import ComponentPlan, ReleaseSpec

FORTY = ReleaseSpec(components=40, platform_components=8, base_layers=(10, 20, 30), own_layers=(40, 50))
SHARES = st.floats(min_value=0, max_value=1)


def keys(plan: ComponentPlan) -> list[str]:
    return [layer.key for layer in plan.layers]


def rebuilt(old: ReleaseSpec, new: ReleaseSpec) -> list[str]:
    return [after.name for before, after in zip(old.plans(), new.plans(), strict=True) if before != after]


def test_all_images_but_the_os_stand_on_the_same_base() -> None:
    plans = FORTY.plans()
    ordinary = [plan for plan in plans if not plan.is_os]
    assert len(ordinary) == 38
    assert len({plan.layers[:3] for plan in ordinary}) == 1
    assert len({layer for plan in ordinary for layer in plan.layers[3:]}) == 38 * 2
    base = set(ordinary[0].layers[:3])
    assert not [plan.name for plan in plans if plan.is_os and base & set(plan.layers)]


def test_layers_have_the_stated_sizes() -> None:
    plans = {plan.name: plan for plan in FORTY.plans()}
    assert [layer.size for layer in plans["etcd"].layers] == [10, 20, 30, 40, 50]
    assert [layer.size for layer in plans["rhel-coreos"].layers] == list(FORTY.os_layers)


@given(share=SHARES)
def test_the_share_of_oci_images_is_exact(share: float) -> None:
    plans = replace(FORTY, oci_share=share).plans()
    assert len([plan for plan in plans if plan.is_oci]) == round(share * 40)


@given(share=SHARES, keeps=st.integers(min_value=0, max_value=6), seed=st.integers())
def test_a_z_stream_rebuilds_exactly_its_share(share: float, keeps: int, seed: int) -> None:
    first = replace(FORTY, seed=seed)
    second = first.next_z_stream("4.21.4", share=share, keeps=keeps)
    changed = rebuilt(first, second)
    assert len(changed) == round(share * 40)
    for old, new in zip(first.plans(), second.plans(), strict=True):
        before, after = keys(old), keys(new)
        kept = keeps if new.name in changed else len(before)
        assert after[:kept] == before[:kept]
        assert not set(after[kept:]) & set(before)


def test_images_rebuilt_together_share_their_new_base() -> None:
    second = FORTY.next_z_stream("4.21.4", share=0.25, keeps=1)
    changed = set(rebuilt(FORTY, second))
    bases = {plan.layers[:3] for plan in second.plans() if plan.name in changed and not plan.is_os}
    assert len(bases) == 1


def test_rebuilds_add_up() -> None:
    second = FORTY.next_z_stream("4.21.4", share=0.5, keeps=3)
    third = second.next_z_stream("4.21.5", share=0.1, keeps=4)
    assert third.previous == ("4.21.4", "4.21.3", "4.21.1", "4.20.12")
    assert len(rebuilt(second, third)) == 4
    assert 20 <= len(rebuilt(FORTY, third)) <= 24


def test_named_components_are_among_the_rebuilt_without_changing_their_number() -> None:
    second = FORTY.next_z_stream("4.21.4", share=0.1, keeps=0, including=["rhel-coreos", "etcd"])
    changed = rebuilt(FORTY, second)
    assert {"rhel-coreos", "etcd"} < set(changed)
    assert len(changed) == 4


def test_another_seed_shares_nothing() -> None:
    ours, others = ({layer.key for p in replace(FORTY, seed=n).plans() for layer in p.layers} for n in (1, 2))
    assert not ours & others


@pytest.mark.parametrize(
    ("architectures", "tag"),
    [
        pytest.param(("x86_64",), "4.21.3-x86_64", id="release name"),
        pytest.param(("arm64",), "4.21.3-aarch64", id="another name of the same architecture"),
        pytest.param(("x86_64", "aarch64"), "4.21.3-multi", id="several"),
    ],
)
def test_tag_ends_with_the_architecture(architectures: tuple[str, ...], tag: str) -> None:
    assert ReleaseSpec(architectures=architectures).tag == tag


@pytest.mark.parametrize(
    ("change", "seen"),
    [
        pytest.param({"components": 7}, "7 components", id="too few components"),
        pytest.param({"architectures": ()}, "no architecture or no layer", id="no architecture"),
        pytest.param({"own_layers": ()}, "no architecture or no layer", id="no own layer"),
    ],
)
def test_impossible_releases_are_refused(change: dict[str, object], seen: str) -> None:
    with pytest.raises(InvalidInputError, match=seen):
        ReleaseSpec(**change)  # type: ignore[arg-type]


def test_a_rebuild_of_an_unknown_component_is_refused() -> None:
    with pytest.raises(InvalidInputError, match="no component kernel"):
        ReleaseSpec().next_z_stream("4.21.4", share=0.5, keeps=0, including=["kernel"])
