"""Mixers without attention: state-space models, gated delta networks, short convolutions and their kin."""

from __future__ import annotations

from dataclasses import dataclass

from catalog.huggingface.fields import Fields
from catalog.huggingface.parts import Amount, Flag, Part, flag
from engine.models import Linear, MixerKind, Role


def _linear(name: str, inputs: int, outputs: int, *, bias: bool = False) -> Linear:
    return Linear(name, inputs, outputs, Role.MIXER, bias)


@dataclass(frozen=True, slots=True)
class Mamba1:
    """Selective state space (Mamba paper, section 3): one state vector for each channel."""

    prefix: str = "mixer."
    state: str = "state_size"
    kernel: str = "conv_kernel"
    conv_bias: str = "use_conv_bias"
    bias: str = "use_bias"
    rank: str = "time_step_rank"
    inner: Amount | None = None
    own_norms: bool = False  # norms of the step and of both state inputs (Jamba)

    def __call__(self, fields: Fields) -> Part:
        """Four projections, a convolution, the transition and the skip."""
        hidden, state = fields.size("hidden_size"), fields.size(self.state)
        inner = self.inner(fields) if self.inner else fields.factor("expand") * hidden
        # the library's "auto" rank: hidden width / 16, rounded up
        rank = -(-hidden // 16) if fields.is_word(self.rank, "auto") else fields.size(self.rank)
        bias = fields.flag(self.bias)
        linears = (
            _linear(self.prefix + "in_proj", hidden, 2 * inner, bias=bias),
            _linear(self.prefix + "x_proj", inner, rank + 2 * state),
            _linear(self.prefix + "dt_proj", rank, inner, bias=True),
            _linear(self.prefix + "out_proj", inner, hidden, bias=bias),
        )
        convolution = inner * fields.size(self.kernel) + (inner if fields.flag(self.conv_bias) else 0)
        others = convolution + inner * state + inner + (rank + 2 * state if self.own_norms else 0)
        return Part(linears, others, MixerKind.STATE_SPACE, state_size=state)


@dataclass(frozen=True, slots=True)
class Mamba2:
    """State space with one decay for each head (Mamba-2 paper, section 7)."""

    heads: str
    inner: Amount
    groups: str
    state: str
    kernel: str
    conv_bias: str
    bias: Flag
    prefix: str = "mamba."
    norm: Flag = True
    out_bias: Flag | None = None

    def __call__(self, fields: Fields) -> Part:
        """Two projections, a convolution, three vectors over the heads and a norm."""
        hidden, inner, heads = fields.size("hidden_size"), self.inner(fields), fields.size(self.heads)
        state, groups = fields.size(self.state), fields.size(self.groups)
        channels = inner + 2 * groups * state
        bias = flag(fields, self.bias)
        out_bias = bias if self.out_bias is None else flag(fields, self.out_bias)
        linears = (
            _linear(self.prefix + "in_proj", hidden, inner + channels + heads, bias=bias),
            _linear(self.prefix + "out_proj", inner, hidden, bias=out_bias),
        )
        convolution = channels * fields.size(self.kernel) + (channels if fields.flag(self.conv_bias) else 0)
        others = convolution + 3 * heads + (inner if flag(fields, self.norm) else 0)
        return Part(linears, others, MixerKind.STATE_SPACE, state_size=state)


@dataclass(frozen=True, slots=True)
class DeltaNet:
    """Gated delta network of Qwen3-Next and Qwen3.5; the latter keeps its inputs in four matrices."""

    fused: bool

    def __call__(self, fields: Fields) -> Part:
        """Queries, keys, values, output gate and two scalars for each value head."""
        hidden = fields.size("hidden_size")
        key_heads, value_heads = fields.size("linear_num_key_heads"), fields.size("linear_num_value_heads")
        key_dim, value_dim = fields.size("linear_key_head_dim"), fields.size("linear_value_head_dim")
        key, value = key_heads * key_dim, value_heads * value_dim
        prefix = "linear_attn."
        inputs: tuple[Linear, ...]
        if self.fused:
            inputs = (
                _linear(prefix + "in_proj_qkvz", hidden, 2 * key + 2 * value),
                _linear(prefix + "in_proj_ba", hidden, 2 * value_heads),
            )
        else:
            inputs = (
                _linear(prefix + "in_proj_qkv", hidden, 2 * key + value),
                _linear(prefix + "in_proj_z", hidden, value),
                _linear(prefix + "in_proj_b", hidden, value_heads),
                _linear(prefix + "in_proj_a", hidden, value_heads),
            )
        linears = (*inputs, _linear(prefix + "out_proj", value, hidden))
        others = (2 * key + value) * fields.size("linear_conv_kernel_dim") + 2 * value_heads + value_dim
        return Part(linears, others, MixerKind.LINEAR_ATTENTION, state_size=key_dim)


def olmo_delta_net(fields: Fields) -> Part:
    """OLMo's gated delta network: every input in a matrix of its own."""
    hidden, heads = fields.size("hidden_size"), fields.size("num_attention_heads")
    key_heads = fields.optional_size("linear_num_key_heads") or heads
    value_heads = fields.optional_size("linear_num_value_heads") or heads
    # int(0.75 x hidden / heads), the library's rule for an absent key size
    key_dim = fields.optional_size("linear_key_head_dim") or max(3 * hidden // (4 * key_heads), 1)
    value_dim = fields.optional_size("linear_value_head_dim") or 2 * key_dim
    key, value = key_heads * key_dim, value_heads * value_dim
    names = (("q_proj", key), ("k_proj", key), ("v_proj", value), ("a_proj", value_heads), ("b_proj", value_heads))
    linears = [_linear(f"linear_attn.{name}", hidden, width) for name, width in names]
    linears += [
        _linear("linear_attn.g_proj", hidden, value),
        _linear("linear_attn.o_proj", value, hidden),
    ]
    others = (2 * key + value) * fields.size("linear_conv_kernel_dim") + 2 * value_heads + value_dim
    return Part(tuple(linears), others, MixerKind.LINEAR_ATTENTION, state_size=key_dim)


@dataclass(frozen=True, slots=True)
class KimiDelta:
    """Kimi's delta attention: a decay for each channel."""

    low_rank: bool  # gates through a narrow projection (Kimi Linear), or in one matrix (Bailing)
    heads: str = "linear_num_heads"
    head_dim: str = "linear_head_dim"
    kernel: str = "linear_conv_kernel_dim"

    def __call__(self, fields: Fields) -> Part:
        """Queries, keys, values, forget gate, output gate and one scalar for each head."""
        hidden = fields.size("hidden_size")
        heads, head_dim = fields.size(self.heads), fields.size(self.head_dim)
        width = heads * head_dim
        prefix = "self_attn."
        linears = [_linear(prefix + name, hidden, width) for name in ("q_proj", "k_proj", "v_proj")]
        gates = ("forget_gate.f", "g") if self.low_rank else ("forget_gate.f_proj", "g_proj")
        for gate in gates:
            if self.low_rank:
                linears.append(_linear(f"{prefix}{gate}_a_proj", hidden, head_dim))
                linears.append(_linear(f"{prefix}{gate}_b_proj", head_dim, width))
            else:
                linears.append(_linear(prefix + gate, hidden, width))
        linears.append(_linear(prefix + "b_proj", hidden, heads))
        linears.append(_linear(prefix + "o_proj", width, hidden))
        others = 3 * width * fields.size(self.kernel) + width + heads + head_dim
        return Part(tuple(linears), others, MixerKind.LINEAR_ATTENTION, state_size=head_dim)


def short_convolution(fields: Fields) -> Part:
    """LFM2's gated short convolution."""
    hidden, bias = fields.size("hidden_size"), fields.flag("conv_bias")
    linears = (
        _linear("conv.in_proj", hidden, 3 * hidden, bias=bias),
        _linear("conv.out_proj", hidden, hidden, bias=bias),
    )
    others = hidden * fields.size("conv_L_cache") + (hidden if bias else 0)
    return Part(linears, others, MixerKind.STATE_SPACE, state_size=1)


def lightning_attention(fields: Fields) -> Part:
    """MiniMax's linear attention: fused projections, an output gate and a norm over all heads."""
    hidden, heads = fields.size("hidden_size"), fields.size("num_attention_heads")
    head_dim = fields.optional_size("head_dim") or hidden // heads
    width = heads * head_dim
    linears = (
        _linear("self_attn.qkv_proj", hidden, 3 * width),
        _linear("self_attn.out_proj", width, hidden),
        _linear("self_attn.output_gate", hidden, width),
    )
    return Part(linears, width, MixerKind.LINEAR_ATTENTION, state_size=head_dim)


def gated_recurrence(fields: Fields) -> Part:
    """RecurrentGemma's real-gated linear recurrence unit (Griffin paper, section 2.4)."""
    hidden, heads = fields.size("hidden_size"), fields.size("num_attention_heads")
    width = fields.optional_size("lru_width") or hidden
    block = width // heads
    linears = (
        _linear("temporal_block.linear_y", hidden, width, bias=True),
        _linear("temporal_block.linear_x", hidden, width, bias=True),
        _linear("temporal_block.linear_out", width, hidden, bias=True),
    )
    gates = 2 * heads * (block * block + block)
    others = width * (fields.size("conv1d_width") + 1) + width + gates
    return Part(linears, others, MixerKind.STATE_SPACE, state_size=1)
