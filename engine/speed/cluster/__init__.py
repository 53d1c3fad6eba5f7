"""Jobs that outgrow one machine: which layout on how many nodes, how long, over what network, and what to ask for.

`plan.plan_cluster(job, node, facts)` is the entrance. Memory comes from `engine.memory`, seconds from the same terms
and constants as a single machine's; only the exchange between nodes and the pipeline's bubble are added here.
"""
