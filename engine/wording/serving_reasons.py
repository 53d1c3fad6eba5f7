"""The sentences about served models: why a plan cannot serve, and how it does."""

from __future__ import annotations

from engine.reasons import ReasonCode
from engine.wording.translator import mark

SERVING_MESSAGES: dict[ReasonCode, tuple[str, ...]] = {
    ReasonCode.SERVING_FORMAT: (
        mark("Cannot be served in this format on this card: {problem}. Another weight or cache format would help."),
        mark("Cannot be served in this format on this card. Another weight or cache format would help."),
    ),
    ReasonCode.SERVING_START: (
        mark("The serving engine does not start: {problem}; {need_bytes} are needed, {limit_bytes} are there."),
        mark("The serving engine does not start: {problem}."),
        mark("The serving engine does not start on this card."),
    ),
    ReasonCode.SERVING_USERS: (
        mark(
            "{need_users} requests are to run at once; there is room for {limit_users}, which leaves less than the "
            "{headroom} headroom asked for. More cards would help."
        ),
        mark("{need_users} requests are to run at once, there is room for {limit_users}. More cards would help."),
        mark("Fewer requests can run at once than asked for. More cards would help."),
    ),
    ReasonCode.SERVING_USER_RATE: (
        mark("Each user is to get {need_rate} tokens a second, {limit_rate} can be stood behind."),
        mark("Each user gets fewer tokens a second than asked for."),
    ),
    ReasonCode.SERVING_FIRST_ANSWER: (
        mark("Reading the prompt alone takes {need_s}, the first token is wanted after {limit_s}."),
        mark("Reading the prompt alone takes longer than the first token may."),
    ),
    ReasonCode.SERVING_THROUGHPUT: (
        mark("{need_rate} tokens a second are needed in all, {limit_rate} can be stood behind. More cards would help."),
        mark("Fewer tokens a second in all than needed. More cards would help."),
    ),
    ReasonCode.SERVING_NIGHT: (
        mark("The nightly job takes {need_h}, its night has {limit_h}. More cards would help."),
        mark("The nightly job is not done in its night. More cards would help."),
    ),
    ReasonCode.SERVING_CARDS: (mark("No cards or hours are left for serving beside the other tasks."),),
    ReasonCode.SERVING_REPLICAS: (
        mark("The model fits on one card, so {copies} copies serve side by side and the rate grows with them."),
        mark("The model fits on one card, where it serves alone."),
    ),
    ReasonCode.SERVING_PIPELINE: (
        mark("Served in {stages} pipeline stages ({copies}×): for throughput, PCIe between the stages suffices."),
        mark("Served in pipeline stages over several cards."),
    ),
    ReasonCode.SERVING_TENSOR: (
        mark("Served by {ranks} tensor ranks ({copies}×): every card works on every token."),
        mark("Served by tensor ranks over several cards."),
    ),
    ReasonCode.SERVING_NOT_STATED: (
        mark("No serving speed is stated: nothing comparable was measured, and the computation cannot be relied on."),
    ),
    ReasonCode.SHARED_BY_TIME: (
        mark("Serving has {serving_h} of the month, training has the other {training_h}."),
        mark("Serving and training share the cards by the hour."),
    ),
    ReasonCode.SHARED_BY_CARDS: (
        mark("Serving has {serving_cards} of its own, training has {training_cards}."),
        mark("Serving has cards of its own."),
    ),
    ReasonCode.SHARED_BY_MIG: (
        mark("Serving has {instances} of its own ({profile})."),
        mark("Serving has MIG instances of its own."),
    ),
    ReasonCode.TWO_MACHINES: (
        mark("A machine each for training and serving would cost {saving_amount} less: {other}."),
        mark("A machine each for training and serving would cost less."),
    ),
}
