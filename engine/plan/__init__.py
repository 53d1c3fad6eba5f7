"""From a scenario to a recommendation: candidates, placement, judgement, ranking."""
