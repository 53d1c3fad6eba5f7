"""What to ask a rental provider and what to measure before committing, as codes: criteria of a guide of 2026."""

from __future__ import annotations

from enum import StrEnum


class ProviderQuestion(StrEnum):
    """Questions whose answers an hourly price does not give."""

    ALL_REDUCE_BANDWIDTH = "all-reduce-bandwidth"  # measured with NCCL tests, not the data sheet
    ALL_GATHER_BANDWIDTH = "all-gather-bandwidth"
    PLACEMENT = "placement"  # are the cards of one job guaranteed to stand together
    FABRIC = "fabric"  # InfiniBand or Ethernet with RDMA, GPUDirect
    CHECKPOINT_STORAGE = "checkpoint-storage"  # write and read rate under load
    PREEMPTION = "preemption"  # notice and refund when capacity is withdrawn
    FAILURE_HANDLING = "failure-handling"  # spare machines, time to replace
    SUPPORT_RESPONSE = "support-response"
    CAPACITY_GUARANTEE = "capacity-guarantee"
    DATA_LOCATION = "data-location"  # country, contract for data processing, deletion


class BenchmarkStep(StrEnum):
    """Tests on the provider's machine before a larger commitment, in this order."""

    MEMORY_FIT = "memory-fit"  # model, tokenizer, batch, optimiser and method on one card
    MICRO_BATCH_SWEEP = "micro-batch-sweep"
    NODE_TEST = "node-test"  # NCCL tests and a short training on one whole machine
    CHECKPOINT_TEST = "checkpoint-test"  # write and restore under real load
    MULTI_NODE_TEST = "multi-node-test"
    FAILURE_DRILL = "failure-drill"  # kill a worker, simulate preemption, recover
    COST_PER_CHECKPOINT = "cost-per-checkpoint"
