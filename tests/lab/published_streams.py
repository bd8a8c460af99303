# Copyright (c) 2026 fieldops.openshift contributors
# SPDX-License-Identifier: GPL-3.0-or-later

"""Images in Amazon's cloud of versions of the installer's streams, for where there is no clone of it.

Each is of one file of github.com/openshift/installer at one commit, with those for Windows (``aws-winli``).
"""

from __future__ import annotations

import typing as t
from collections.abc import Iterator, Mapping


class Version(t.NamedTuple):
    """One release of one stream, with its ids, without ``ami-0``, by architecture."""

    path: str
    commit: str
    release: str
    ids: Mapping[str, str]


class Origin(t.NamedTuple):
    """What an image is; both are empty where they are not known."""

    release: str = ""
    architecture: str = ""


VERSIONS = (
    Version(
        "data/data/coreos/coreos-rhel-9.json",
        "c0f7ffc149df22adc48cd1105718ae6260a68926",
        "9.8.20260428-0",
        {
            "aarch64": """
            d4a956f16e671c23 a91ae6798de76206 306ba47840353a29 e82e81523d2a6813 e75b6e8f6244e7b3 c4199145e348e34b
            6acdabc1e3f08755 0040002cb10fcbd3 56f278fe53db726c 69ddfaade79ad56b 5a97f2993a5fa2a4 882b9ae23099fdd7
            a37c30f59c81e7fe 3c1020d9eed80eca d5ef1e13732f4997 4f7a8da19b11d4e7 f44606f8976e0e0f c9138d7e9ff13e66
            cfbb91332506b4a0 82bc95b00c9b83f6 89aada28cb59e12a b0c4ae4240f8da12 407aed6920311b8b 4862120943aae22d
            e5153e2699a229e9 85a9f00fcc5f98ad 7cdd672851cad2d9 5c188d88252a647e 1fdfbdd638f16b5f d7a99eb592f70ada
            0a56c3ef9ddb15b2 4c818e5aff7aba89 904ff239359d1479 38d5ba7617daac0c
            """,
            "x86_64": """
            09e48dde0d8a95d9 35c5a22641db21e8 ea15d423da9e8060 2dfb9b06aa449db4 5289fed2e62239d2 a83b2406e0cd4ffe
            3bf0f8a0b1623e1a 7df2a08194591bbc 6909ede3ef4fe506 ba2bfd6fee7834dd 520f95089879d2bb c49a23180b934728
            476a2dcd3864f977 a6de2bb8bbbd37de 05e68d61c8c4c7a4 3cc759d77e1721b7 b8ebc04152d30387 db5da1b3b5ad90dc
            2f385043c786a5dc 74121622fd955090 a982a0bffd68265f 2cd268950efc44ff 554dc0c838511ba9 c7c471c86eba7051
            de0236a642001155 e05d2b09e0571754 eb455daf38e190a3 aeaab6d96119add3 fbc8be8796dc1df5 f87100a0927b4e1e
            928a4e0527b0e52a 9dd20307815d330d 89c98e2d700adb1e ca6948ea14ab6096

            ed8a39ea6cb0bced d6ed8e9ed3abfd74 2608f350099dfff0 0916bbf9666af25d 6fa34e58d186787c 0cd2ff770d915123
            d869cbece4f4ee76 5afbffae68f2824f 975943940461da16 805c81540426182f 1fb2d410a04c5386 e7be71c1e3dfe371
            5eb3e0d7f74015c8 91759392ea3b7b89 f3fc37cc22d7e58c 475a7435df73b2ab d407c90d0b687145 bec9a5cc5b3021fa
            67e900a8c25a2b5f 0350f6cb58a71aaf aaf709cb4cb9d5fd 87f7c75668d65a29 546a6c16b91e4748 eed23e084bf93ab7
            bdc4b506a738bc5d 56bd18c894dfcb4b d8e1b28a1c5cd0b6 c9437d4df37302eb 306b3689eab84e5b 4e537007186ff41f
            b171228665f04788 3164a5c0c2f4b334
            """,
        },
    ),
    Version(
        "data/data/coreos/coreos-rhel-10.json",
        "02971be5659a385cb32a4f24e86a924d6d46e2d2",
        "10.2.20260715-0",
        {
            "aarch64": """
            8d3e5ac783f96689 6a0a6cdc31d687b4 2264d13cc379c400 1402f6fc7fa6e6dd de3372c53819aaaa 537c012fb351d6a0
            0af5f0251f9d393f 6e5d42796bd6f528 b8305344e0fc7d2d df26f104866e1a9a 34a47eb2ad3e3ffd a651d826444a4948
            1734737bbfbe74a1 507f999c00da7b28 d9e44cb94e3e2314 6b4716233fe63dc9 f5633a3440704a9d 286cff0da9d1c1c4
            bfd310dade0d036f f186d1a862e47c8f 0159303d0698a4e3 e6941714240039fa 16e6fabf9dda07aa 2d27a05c7b8d13df
            94e87d0b8aab28df 08a7997379c73959 315581cb0f47f844 e0cf94e34dd227cd 3038bbbf3c588c37 e651950cf2f78a61
            7d5097d7ef637209 cd956ca21ed98150 66c6f5fba5f747a8 3572bea3f4251a57
            """,
            "x86_64": """
            5c37201878e36dac 13d71691d6282b85 30ca5bf92778d65f 4f22d56acba8a165 fed99e2bf80aea18 f5b937ac530500da
            8b9fb58c26d81f5d 3d56fdb1a727352c 4a4d537de220f7e6 7c15edaa047a52c1 6259340f24c14377 4d95d787cc499e7b
            738a052f29ebb8d4 6837ef5f71b2333b dc49d202ca3f9193 2134e8468c69e038 cf685d7c4e2f115b 38087b95229af209
            f7add16535539145 84bd2f45461b2641 d1687e928755427e 76e084cea4ec4903 aba7be9d548d8831 35c3042668af014c
            01eff5ce74306328 ccd894c5c2c7c45c a7020eb754a9f6fc 35e211736d96d4a9 26c3565b2e140a8f 0bceb1d4863de8d5
            54a256518f6779b1 9493294918f32a0c 30623e6ced67aefc 9d49112a1306f262

            648fefdfdfd37772 bba320960f966f20 38a860637181b890 e721586ef04044d2 8a4fe7bbdf941fc9 fb8045529e752a6f
            bd752fae0b2ac2a4 0edb1c1d604ca98a 83d0fa187efa39e3 8fabbfdb4f9e6482 d320aa9cc1633024 af5f9e96ff66bdf5
            c500dfe48597e6f6 4deeaada42d956a3 88ea81e2a08b663e 858193e4c8ee5b62 1086887bd3c994e1 d1755bc956801be0
            d6093add7a207886 a7afa68ca22609dd e0ac57dadcaf1ab9 5b949c2a121f003b 4fe481e7565ae103 f752ff59c8b0d39f
            cb61ac0cd757c89c e47406ea13abefd8 ec2f94496976cb5f f480726bfb767807 1b8ebd9b3d74d74c f567edf0859e3b39
            feb18654dafb55c6 0f300f51af36e885
            """,
        },
    ),
    Version(
        "data/data/coreos/rhcos.json",
        "94cda0abbb7e7bf231deb447b48fcd2b57d2d64f",
        "416.94.202405291527-0",
        {
            "x86_64": """
            18de6b1be470b7e6 92f09a4c8aacf56a 01c9fc85b77505f4 a5d7f1966d88fba3 85a2726ceb4f5eeb 3f2c19071fb6eab3
            c82522890979d94b 6e5b9d16ead6c55c ccd429129fbf6bc0 96f9b4d41116d95c b511ab55f9f7d052 e357287c651be1f2
            b1692e5776740901 8b13fb388ba5610d 4777298b55045ea9 5421993a4ee567b9 0959341869d34746 a745b610522a87cc
            e48f85ec57bd7baa c015b1387acddc5e 1e466af77a95b93d a1b706793b54d087 9d58e8b2099ae5bc f9c259bc4346599c
            6277517d966881a3 5483066c3caaccf5 c704ce516493a479 695b2cbdd1ec4d48 04404a0eaa427b39 aaa56637063be772
            870c7a3d5ef4d2b3
            """,
        },
    ),
    Version(
        "data/data/rhcos-amd64.json",
        "18d578307b644a4038716cfdfd4fb5a7404d3179",
        "45.81.202005200134-0",
        {
            "x86_64": """
            3debc82c86cb9fc1 32bfaf023d1d344a 4a2271e011bf7e97 0b64116043693c93 ae368af58a298763 8c89ccb53798be30
            9020a80c8f3b1b07 665ded25a7f786d8 d8964d864a2b651d 186141e3c79bb69a 0631c9e97e086ad1 d4544874f9ec20bb
            bd6d945b5fb94f15 097bded932c126bc 254f6b4eaa3b9d0f 58d97ab18b0e860a bd693f82f222c33d
            """,
        },
    ),
    Version(
        "data/data/rhcos.json",
        "656a9f87886348850ebbfa559c2c8bf36465fe86",
        "45.82.202008010929-0",
        {
            "x86_64": """
            dfe4916cdaaf43cd 537280c9b4216128 b0b4e794a2e5de14 2b77ab107fad3174 a4741eeffe8b988f cf0260a6c947003c
            99fd2cef9baee606 5e1996c96351b55f 60b61707685d896c 95ab25ca2f142bd2 ce4e73255e70dd55 c7af70bd5eda47ab
            d1f325dc66150c08 8f17f5bd2210c9fa ba8d5168e13bbcce c4cd53ca5ef27e98 ca69ace595281607
            """,
        },
    ),
)


def recorded() -> Iterator[dict[str, Origin]]:
    """Yield the ids of each of them with their origin."""
    for version in VERSIONS:
        for architecture, ids in version.ids.items():
            yield dict.fromkeys(ids.split(), Origin(version.release, architecture))
