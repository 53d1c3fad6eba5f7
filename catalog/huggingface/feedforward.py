"""Feed-forward rules: gated and plain networks, and mixtures of experts."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from catalog.huggingface.errors import ConfigError
from catalog.huggingface.fields import Fields
from catalog.huggingface.parts import Amount, Flag, Part, flag
from engine.models import Linear, MlpShape, MoeShape, Role


@dataclass(frozen=True, slots=True)
class Gated:
    """Gate, up and down projection."""

    bias: Flag = False
    size: str | Amount = "intermediate_size"
    prefix: str = "mlp."
    names: tuple[str, str, str] = ("gate_proj", "up_proj", "down_proj")
    own_norm: bool = False  # a norm over the inner width (BitNet)

    def __call__(self, fields: Fields) -> Part:
        """Three matrices of hidden x inner width."""
        hidden, inner = fields.size("hidden_size"), amount(fields, self.size)
        bias = flag(fields, self.bias)
        gate, up, down = (self.prefix + name for name in self.names)
        linears = (
            Linear(gate, hidden, inner, Role.MLP, bias),
            Linear(up, hidden, inner, Role.MLP, bias),
            Linear(down, inner, hidden, Role.MLP, bias),
        )
        return Part(linears, inner if self.own_norm else 0, mlp=MlpShape(inner))


@dataclass(frozen=True, slots=True)
class FusedGated:
    """Gate and up projection in one matrix."""

    size: str = "intermediate_size"
    up_name: str = "mlp.gate_up_proj"
    down_name: str = "mlp.down_proj"
    role: Role = Role.MLP

    def __call__(self, fields: Fields) -> Part:
        """One matrix of twice the inner width and one back."""
        hidden, inner = fields.size("hidden_size"), fields.size(self.size)
        linears = (
            Linear(self.up_name, hidden, 2 * inner, self.role),
            Linear(self.down_name, inner, hidden, self.role),
        )
        return Part(linears, mlp=MlpShape(inner))


@dataclass(frozen=True, slots=True)
class Plain:
    """Up and down projection without a gate."""

    bias: Flag = True
    size: str | Amount = "intermediate_size"
    names: tuple[str, str] = ("mlp.fc1", "mlp.fc2")
    others: int = 0  # learned parameters of the activation function
    own_class: bool = False  # linear layers of the model's own class

    def __call__(self, fields: Fields) -> Part:
        """Two matrices of hidden x inner width."""
        hidden, inner = fields.size("hidden_size"), amount(fields, self.size)
        bias = flag(fields, self.bias)
        up, down = self.names
        shapes = ((up, hidden, inner), (down, inner, hidden))
        linears = tuple(
            Linear(name, inputs, outputs, Role.MLP, bias, fused_parameter=self.own_class, own_class=self.own_class)
            for name, inputs, outputs in shapes
        )
        return Part(linears, self.others, mlp=MlpShape(inner, gated=False))


class Router(Enum):
    """How the router's weights are kept."""

    PARAMETER = "parameter"  # a bare parameter, which neither PEFT's "all-linear" nor bitsandbytes sees
    LINEAR = "linear"
    OWN_CLASS = "own-class"  # a linear layer of the model's own class


@dataclass(frozen=True, slots=True)
class Experts:
    """Routed experts with gates in two 3-D tensors, a router and, in some families, shared experts."""

    experts: str = "num_experts"
    chosen: str = "num_experts_per_tok"
    size: str = "moe_intermediate_size"
    prefix: str = "mlp."
    router: Router = Router.PARAMETER
    router_name: str = "gate"
    router_bias: bool = False
    bias: bool = False
    correction_bias: bool = False  # a trained bias for each expert; where it is a buffer it does not count
    shared: str | Amount = ""  # inner width of all shared experts together
    shared_name: str = "shared_experts"
    shared_gate: bool = False
    shared_fused: bool = False
    shared_bias: Flag = False

    def __call__(self, fields: Fields) -> Part:
        """Matrices of every expert, `count` of each."""
        hidden, inner = fields.size("hidden_size"), fields.size(self.size)
        count, active = fields.size(self.experts), fields.size(self.chosen)
        if active > count:
            raise ConfigError(
                "{field} ({value}) exceeds the {experts} experts.", field=self.chosen, value=active, experts=count
            )
        shared = amount(fields, self.shared, least=0) if self.shared else 0
        bare = self.router is Router.PARAMETER
        linears = (
            Linear(
                self.prefix + self.router_name,
                hidden,
                count,
                Role.ROUTER,
                bias=self.router_bias,
                fused_parameter=self.router is not Router.LINEAR,
                peft_all_linear=not bare,
                own_class=self.router is Router.OWN_CLASS,
            ),
            *self._routed(hidden, inner, count),
            *self._shared(hidden, shared, bias=flag(fields, self.shared_bias)),
        )
        shape = MoeShape(count, active, inner, shared)
        return Part(linears, count if self.correction_bias else 0, moe=shape)

    def _routed(self, hidden: int, inner: int, count: int) -> tuple[Linear, Linear]:
        names = (f"{self.prefix}experts.gate_up_proj", f"{self.prefix}experts.down_proj")
        shapes = ((hidden, 2 * inner), (inner, hidden))
        up, down = (
            Linear(name, inputs, outputs, Role.EXPERT, self.bias, count, fused_parameter=True, peft_all_linear=False)
            for name, (inputs, outputs) in zip(names, shapes, strict=True)
        )
        return up, down

    def _shared(self, hidden: int, shared: int, *, bias: bool) -> tuple[Linear, ...]:
        if not shared:
            return ()
        prefix = f"{self.prefix}{self.shared_name}."
        ups = (("gate_up_proj", 2 * shared),) if self.shared_fused else (("gate_proj", shared), ("up_proj", shared))
        linears = [Linear(prefix + name, hidden, width, Role.SHARED_EXPERT, bias) for name, width in ups]
        linears.append(Linear(prefix + "down_proj", shared, hidden, Role.SHARED_EXPERT, bias))
        if self.shared_gate:
            linears.append(Linear(f"{self.prefix}{self.shared_name}_gate", hidden, 1, Role.ROUTER))
        return tuple(linears)


def times(name: str, factor: str) -> Amount:
    """The product of two fields, 0 where the second is absent: shared experts of equal width."""

    def product(fields: Fields) -> int:
        count = fields.count(factor)
        return fields.size(name) * count if count else 0

    return product


def amount(fields: Fields, size: str | Amount, least: int = 1) -> int:
    """A field's value or a computed one, at least `least`."""
    if callable(size):
        return size(fields)
    return fields.size(size) if least else fields.count(size)
