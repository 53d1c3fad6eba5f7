"""A model of small round sizes, for sums that are done by hand."""

from __future__ import annotations

from engine.models import Block, ModelSpec


def small_model(*blocks: Block, vision_parameters: int = 0) -> ModelSpec:
    """Width 8, ten words of vocabulary, embedding and output layer of 80 parameters each, and these blocks."""
    return ModelSpec(
        id="test",
        name="Test",
        hf_id="",
        family="",
        licence="",
        model_type="test",
        recognised=True,
        hidden_size=8,
        vocab_size=10,
        max_position=None,
        tied_embeddings=False,
        embedding_parameters=80,
        head_parameters=80,
        final_parameters=8,
        blocks=blocks,
        vision_parameters=vision_parameters,
    )
