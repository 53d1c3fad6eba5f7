"""A training step on symbolic tensors: which bytes are alive when, without a GPU and without torch.

`tape` follows symbolic tensors from birth to death as PyTorch's autograd would, `ops` knows what each operator keeps
for its backward pass, `layers` strings operators together as the Hugging Face models do, and `profile` boils a model
and a recipe down to a handful of linear forms in the number of tokens, which `engine.memory.estimate` evaluates.
"""
