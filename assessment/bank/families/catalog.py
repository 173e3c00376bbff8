"""Every parametric family by its slug."""

from collections.abc import Mapping
from types import MappingProxyType

from assessment.bank.families.chains import (
    DEPTH_SCALING,
    REPLAY_CALLS,
    SAVED_PER_LAYER,
    SEGMENT_PEAK,
)
from assessment.bank.families.family import Family
from assessment.bank.families.transformers import (
    BATCHNORM_MOMENTUM,
    CORE_ATTENTION_SHARE,
    OPTIMIZER_BYTES,
    REPLAY_FLOPS,
    TRANSFORMER_BYTES,
)

FAMILIES: Mapping[str, Family] = MappingProxyType(
    {
        one.slug: one
        for one in (
            SEGMENT_PEAK,
            DEPTH_SCALING,
            REPLAY_CALLS,
            REPLAY_FLOPS,
            SAVED_PER_LAYER,
            TRANSFORMER_BYTES,
            CORE_ATTENTION_SHARE,
            OPTIMIZER_BYTES,
            BATCHNORM_MOMENTUM,
        )
    }
)
