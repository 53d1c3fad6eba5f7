"""Vision towers and projectors of composite models: counted so that they can be reported.

Each rule follows the library's class of the same name (transformers 5.24.0); sums in the order of the modules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from catalog.huggingface.errors import ConfigError
from catalog.huggingface.fields import Fields

Tower = Callable[[Fields], int]
Projector = Callable[[Fields, Fields, int], int]  # outer fields, vision fields, width of the text model


def _linear(inputs: int, outputs: int, *, bias: bool = True) -> int:
    return inputs * outputs + (outputs if bias else 0)


def _patches(vision: Fields) -> int:
    return (vision.first("image_size") // vision.first("patch_size")) ** 2


def _patch_weights(vision: Fields, width: int, *, bias: bool) -> int:
    channels = vision.optional_size("num_channels") or 3
    return _linear(channels * vision.first("patch_size") ** 2, width, bias=bias)


def _plain_layers(vision: Fields) -> int:
    """Transformer layers with biases everywhere and two layer norms."""
    width, inner = vision.size("hidden_size"), vision.size("intermediate_size")
    layer = 4 * _linear(width, width) + _linear(width, inner) + _linear(inner, width) + 4 * width
    return vision.size("num_hidden_layers") * layer


def _siglip(vision: Fields) -> int:
    width, inner = vision.size("hidden_size"), vision.size("intermediate_size")
    total = _patch_weights(vision, width, bias=True) + _patches(vision) * width + _plain_layers(vision) + 2 * width
    if vision.flag("vision_use_head"):
        attention = width + _linear(width, 3 * width) + _linear(width, width)
        total += attention + 2 * width + _linear(width, inner) + _linear(inner, width)
    return total


def _clip(vision: Fields) -> int:
    width = vision.size("hidden_size")
    positions = (_patches(vision) + 1) * width
    return width + _patch_weights(vision, width, bias=False) + positions + _plain_layers(vision) + 4 * width


def _pixtral(vision: Fields) -> int:
    width, inner = vision.size("hidden_size"), vision.size("intermediate_size")
    layer = 4 * width * width + 3 * width * inner + 2 * width
    return _patch_weights(vision, width, bias=False) + width + vision.size("num_hidden_layers") * layer


def _llama4(vision: Fields) -> int:
    width, inner = vision.size("hidden_size"), vision.size("intermediate_size")
    positions = (_patches(vision) + 1) * width
    middle, out = vision.size("projector_input_dim"), vision.size("projector_output_dim")
    adapter = _linear(inner, middle, bias=False) + _linear(middle, out, bias=False)
    embedding = width + positions + _patch_weights(vision, width, bias=False)
    return embedding + 4 * width + _plain_layers(vision) + adapter


def _cubes(vision: Fields, width: int, *, bias: bool) -> int:
    channels = vision.optional_size("in_channels") or 3
    volume = channels * vision.size("temporal_patch_size") * vision.size("patch_size") ** 2
    return _linear(volume, width, bias=bias)


def _merger(width: int, merged: int, out: int, *, norm: int) -> int:
    return norm * width + _linear(merged, merged) + _linear(merged, out)


def _merged(vision: Fields, width: int) -> int:
    return width * vision.size("spatial_merge_size") ** 2


def _qwen2(vision: Fields) -> int:
    width, out = vision.size("embed_dim"), vision.size("hidden_size")
    inner = width * vision.size("mlp_ratio")
    layer = 4 * width + _linear(width, 3 * width) + _linear(width, width)
    layer += _linear(width, inner) + _linear(inner, width)
    blocks = vision.size("depth") * layer
    return _cubes(vision, width, bias=False) + blocks + _merger(width, _merged(vision, width), out, norm=2)


def _qwen2_5(vision: Fields) -> int:
    width, inner, out = (vision.size(name) for name in ("hidden_size", "intermediate_size", "out_hidden_size"))
    layer = 2 * width + _linear(width, 3 * width) + _linear(width, width)
    layer += 2 * _linear(width, inner) + _linear(inner, width)
    blocks = vision.size("depth") * layer
    return _cubes(vision, width, bias=False) + blocks + _merger(width, _merged(vision, width), out, norm=1)


def _qwen3(vision: Fields) -> int:
    width, inner, out = (vision.size(name) for name in ("hidden_size", "intermediate_size", "out_hidden_size"))
    layer = 4 * width + _linear(width, 3 * width) + _linear(width, width)
    layer += _linear(width, inner) + _linear(inner, width)
    merged = _merged(vision, width)
    deep = len(vision.counts("deepstack_visual_indexes") or ())
    return (
        _cubes(vision, width, bias=True)
        + vision.size("num_position_embeddings") * width
        + vision.size("depth") * layer
        + _merger(width, merged, out, norm=2)
        + deep * _merger(merged, merged, out, norm=2)
    )


def _gemma4(vision: Fields) -> int:
    width, inner, head = (vision.size(name) for name in ("hidden_size", "intermediate_size", "head_dim"))
    heads, kv_heads = vision.size("num_attention_heads"), vision.size("num_key_value_heads")
    layer = 2 * width * (heads + kv_heads) * head + 2 * head + 3 * width * inner + 4 * width
    positions = 2 * vision.size("position_embedding_size") * width
    standard = 2 * width if vision.flag("standardize") else 0
    patches = 3 * vision.size("patch_size") ** 2 * width
    return positions + patches + vision.size("num_hidden_layers") * layer + standard


def _project_gemma3(_: Fields, vision: Fields, text_width: int) -> int:
    return vision.size("hidden_size") * text_width + vision.size("hidden_size")


def _project_mistral3(outer: Fields, vision: Fields, text_width: int) -> int:
    width, bias = vision.size("hidden_size"), outer.flag("multimodal_projector_bias")
    merger = width * width * outer.size("spatial_merge_size") ** 2
    return width + merger + _linear(width, text_width, bias=bias) + _linear(text_width, text_width, bias=bias)


def _project_llava(outer: Fields, vision: Fields, text_width: int) -> int:
    bias = outer.flag("multimodal_projector_bias")
    taken = len(outer.integers("vision_feature_layer")) if outer.is_list("vision_feature_layer") else 1
    return _linear(vision.size("hidden_size") * taken, text_width, bias=bias) + _linear(
        text_width, text_width, bias=bias
    )


def _project_llama4(_: Fields, vision: Fields, text_width: int) -> int:
    return vision.size("vision_output_dim") * text_width


def _project_gemma4(_: Fields, vision: Fields, text_width: int) -> int:
    return vision.size("hidden_size") * text_width


def _no_projector(_: Fields, vision: Fields, text_width: int) -> int:  # noqa: ARG001 - one of several projectors
    return 0


TOWERS: Mapping[str, Tower] = {
    "siglip_vision_model": _siglip,
    "clip_vision_model": _clip,
    "pixtral": _pixtral,
    "llama4_vision_model": _llama4,
    "qwen2_vl_vision": _qwen2,
    "qwen2_5_vl_vision": _qwen2_5,
    "qwen3_vl_vision": _qwen3,
    "qwen3_vl_moe_vision": _qwen3,
    "qwen3_5_vision": _qwen3,
    "qwen3_5_moe_vision": _qwen3,
    "gemma4_vision": _gemma4,
}
PROJECTORS: Mapping[str, Projector] = {
    "gemma3": _project_gemma3,
    "mistral3": _project_mistral3,
    "llava": _project_llava,
    "llama4": _project_llama4,
    "gemma4": _project_gemma4,
    "qwen2_vl": _no_projector,
    "qwen2_5_vl": _no_projector,
    "qwen3_vl": _no_projector,
    "qwen3_vl_moe": _no_projector,
    "qwen3_5": _no_projector,
    "qwen3_5_moe": _no_projector,
}


def tower_parameters(outer_type: str, vision_type: str, outer: Fields, vision: Fields, text_width: int) -> int | None:
    """Tower and projector together, or None where the combination is not known or not stated well enough."""
    tower, projector = TOWERS.get(vision_type), PROJECTORS.get(outer_type)
    if tower is None or projector is None:
        return None
    try:
        total = tower(vision) + projector(outer, vision, text_width)
        vision.raise_missing()
        outer.raise_missing()
    except ConfigError:
        # the tower is reported, not trained: a figure that cannot be had must not keep the decoder from being counted
        return None
    return total
