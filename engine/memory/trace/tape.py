"""Symbolic tensors and a tape that replays PyTorch's autograd on them, counting live bytes.

A storage is alive as long as somebody refers to it, exactly as in PyTorch: a local variable of a layer's forward
pass, a node of the graph that keeps it for the backward pass, or a parameter's gradient. Python's own reference
counting therefore decides when bytes are freed, and a layer written with the library's variable scopes has the
library's lifetimes. Source of the rules: PyTorch's autograd engine (nodes run latest first, saved tensors are
released after their node ran, gradients of a shared input are summed into a new tensor).
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from contextlib import suppress
from enum import IntEnum

from engine.memory.trace.extent import ZERO, Extent, constant, minus, plus, times

BF16, FP32, INT64 = 2, 4, 8


class Tag(IntEnum):
    """What live bytes are, for the parts of the memory bar."""

    ACTIVATION = 0
    LOGITS = 1
    GRADIENT = 2  # of parameters
    CAST = 3  # copies of weights in compute precision


Snapshot = tuple[Extent, Extent, Extent, Extent]  # one extent per tag


def total(snapshot: Snapshot) -> Extent:
    """All tags together."""
    return plus(plus(snapshot[0], snapshot[1]), plus(snapshot[2], snapshot[3]))


class Storage:
    """Bytes on the card; freed when the last reference goes."""

    __slots__ = ("size", "tag", "tape")

    def __init__(self, tape: Tape, size: Extent, tag: Tag) -> None:
        self.tape = tape
        self.size = size
        self.tag = tag
        tape.live[tag] = plus(tape.live[tag], size)
        tape.mark()

    def retag(self, tag: Tag) -> None:
        """Count the same bytes under another heading."""
        live = self.tape.live
        live[self.tag] = minus(live[self.tag], self.size)
        live[tag] = plus(live[tag], self.size)
        self.tag = tag

    def __del__(self) -> None:
        live = self.tape.live
        live[self.tag] = minus(live[self.tag], self.size)


class Tensor:
    """A view of a storage with its number format and its place in the graph."""

    __slots__ = ("elements", "node", "output", "storage", "width")

    def __init__(self, storage: Storage | None, elements: Extent, width: int, node: Node | None = None) -> None:
        self.storage = storage  # None for weights, which are counted with the model states
        self.elements = elements
        self.width = width
        self.node = node
        self.output = 0  # which of its node's outputs it is

    @property
    def needs_grad(self) -> bool:
        """Whether a gradient flows to this tensor."""
        return self.node is not None

    @property
    def tag(self) -> Tag | None:
        """What its bytes count as; nothing for weights."""
        return None if self.storage is None else self.storage.tag


Gradients = Sequence[Tensor | None]
BackwardRule = Callable[[Gradients], Gradients]


class Node:
    """One operator of the graph. `rule` maps the gradients of the outputs to those of the inputs."""

    __slots__ = ("inputs", "order", "outputs", "rule")

    def __init__(self, order: int, inputs: tuple[tuple[Node, int] | None, ...], rule: BackwardRule | None) -> None:
        self.order = order
        self.inputs = inputs
        self.outputs = 1
        self.rule = rule  # None for a parameter: its gradient stays


class Kept:
    """The tensors one operator keeps for its backward pass. A checkpointed layer makes them again when first asked."""

    __slots__ = ("tape", "tensors")

    def __init__(self, tape: Tape, tensors: tuple[Tensor, ...]) -> None:
        self.tape = tape
        self.tensors = tensors

    def unpack(self) -> None:
        """Make sure the tensors are there."""
        if self.tape.packed:
            self.tape.recompute()

    def clear(self) -> None:
        """Let the tensors go, as a node does after it ran."""
        self.tensors = ()


class _EverythingRecomputedError(Exception):
    """All kept tensors exist again: the rest of the layer need not run."""


class Tape:
    """Counts live bytes while layers run forward and backward."""

    def __init__(self) -> None:
        self.live: list[Extent] = [ZERO, ZERO, ZERO, ZERO]
        self.recording = True
        self.tag = Tag.ACTIVATION
        self.parameter_gradients: dict[Node, Tensor] = {}
        self.casts: dict[Node, Tensor] = {}  # autocast's cache of weights in compute precision
        self.arrived: Tensor | None = None  # the leaf's gradient: held so that its bytes stay live, as `.grad` does
        self.packed: list[Kept] = []  # of a checkpointed layer, empty until its backward pass begins
        self.rerun: Callable[[], object] | None = None  # runs the checkpointed layer again
        self._packing = False
        self._recomputed: list[Kept] | None = None
        self._marks: dict[Extent, Snapshot] = {}
        self._next = 0

    def mark(self) -> None:
        """Remember the present live bytes as a candidate for the peak; `total`, written out for its many calls."""
        a, b, c, d = self.live
        whole = (a[0] + b[0] + c[0] + d[0], a[1] + b[1] + c[1] + d[1], a[2] + b[2] + c[2] + d[2])
        if whole not in self._marks:
            self._marks[whole] = (a, b, c, d)

    def snapshot(self) -> Snapshot:
        """The live bytes at this moment."""
        return (self.live[0], self.live[1], self.live[2], self.live[3])

    def take_peaks(self) -> tuple[Snapshot, ...]:
        """The candidates for the peak since the last call: those no other one exceeds in every part."""
        kept: list[tuple[Extent, Snapshot]] = []
        for size, snapshot in sorted(self._marks.items(), reverse=True):
            if not any(size[1] <= other[1] and size[2] <= other[2] for other, _ in kept):
                kept.append((size, snapshot))
        self._marks = {}
        return tuple(snapshot for _, snapshot in kept)

    def new(self, elements: Extent, width: int, tag: Tag | None = None) -> Tensor:
        """A fresh tensor outside the graph."""
        storage = Storage(self, times(elements, width), self.tag if tag is None else tag)
        return Tensor(storage, elements, width)

    def weight(self, elements: int, width: int, *, trained: bool) -> Tensor:
        """A parameter; its own bytes are counted elsewhere."""
        node = self._node((), None) if trained else None
        return Tensor(None, constant(elements), width, node)

    def keep(self, *tensors: Tensor | None) -> Kept:
        """Keep tensors for the backward pass of the operator that is being recorded."""
        kept = Kept(self, tuple(tensor for tensor in tensors if tensor is not None) if self.recording else ())
        if not kept.tensors:
            return kept
        if self._packing:
            kept.tensors = ()
            self.packed.append(kept)
        elif self._recomputed is not None:
            self._recomputed.append(kept)
            if len(self._recomputed) == len(self.packed):
                raise _EverythingRecomputedError
        return kept

    def run_checkpointed(self, layer: Callable[[], Tensor]) -> Tensor:
        """Run a layer whose kept tensors are thrown away and made again in the backward pass."""
        self._packing = True
        self.rerun = layer
        out = layer()
        self._packing = False
        self.casts.clear()
        return out

    def recompute(self) -> None:
        """Run the checkpointed layer again until everything its operators keep exists."""
        if self.rerun is None:
            raise AssertionError("nothing to run again")
        self._recomputed = []
        with suppress(_EverythingRecomputedError):
            self.rerun()
        for kept, again in zip(self.packed, self._recomputed, strict=True):
            kept.tensors = again.tensors
        self.packed = []
        self._recomputed = None
        self.casts.clear()

    def record(self, out: Tensor, inputs: Sequence[Tensor], rule: BackwardRule) -> Tensor:
        """Put an operator's output into the graph when any input needs a gradient."""
        return self.record_all((out,), inputs, rule)[0]

    def record_all(self, outs: tuple[Tensor, ...], inputs: Sequence[Tensor], rule: BackwardRule) -> tuple[Tensor, ...]:
        """The same for an operator with several outputs."""
        if not self.recording or not any(tensor.needs_grad for tensor in inputs):
            return outs
        edges = tuple((tensor.node, tensor.output) if tensor.node is not None else None for tensor in inputs)
        node = self._node(edges, rule)
        node.outputs = len(outs)
        for index, out in enumerate(outs):
            out.node, out.output = node, index
        return outs

    def leaf(self, tensor: Tensor) -> Tensor:
        """Make an activation require a gradient, as checkpointed layers' inputs do."""
        tensor.node = self._node((), self._arrive)
        return tensor

    def _arrive(self, gradients: Gradients) -> Gradients:
        self.arrived = gradients[0]
        return ()

    def _node(self, inputs: tuple[tuple[Node, int] | None, ...], rule: BackwardRule | None) -> Node:
        self._next += 1
        return Node(self._next, inputs, rule)

    def backward(self, root: Node, gradients: list[Tensor | None]) -> None:
        """Run the graph backwards from a node with the gradients of its outputs; the list is emptied.

        Nodes run latest first, so all gradients of a node have arrived when its turn comes: whatever uses its outputs
        was made after it.
        """
        slots: dict[Node, list[Tensor | None]] = {root: list(gradients)}
        gradients.clear()
        ready = [(-root.order, root)]
        while ready:
            _, node = heapq.heappop(ready)
            incoming = slots.pop(node)
            if node.rule is None:
                self._keep_gradient(node, incoming)
                continue
            outgoing = list(node.rule(incoming))
            incoming.clear()
            node.rule = _released
            for index, edge in enumerate(node.inputs):
                if edge is None:
                    continue
                target, output = edge
                grad, outgoing[index] = outgoing[index], None
                if grad is None:
                    continue
                if target not in slots:
                    heapq.heappush(ready, (-target.order, target))
                self._collect(slots, target, output, grad)
                del grad
            node.inputs = ()

    def _collect(self, slots: dict[Node, list[Tensor | None]], target: Node, output: int, grad: Tensor) -> None:
        slot = slots.setdefault(target, [None] * target.outputs)
        present = slot[output]
        slot[output] = grad if present is None else self.new(grad.elements, grad.width)

    def _keep_gradient(self, node: Node, incoming: list[Tensor | None]) -> None:
        gradient = incoming[0]
        if gradient is None or gradient.storage is None:
            return
        gradient.storage.retag(Tag.GRADIENT)
        self.parameter_gradients[node] = gradient


def node_of(tensor: Tensor) -> Node:
    """The node that made a tensor of the graph."""
    if tensor.node is None:
        raise AssertionError("the tensor is not part of the graph")
    return tensor.node


def _released(_: Gradients) -> Gradients:
    raise AssertionError("a node ran twice")
