"""How long a training step and a run take, always with a band. Pure arithmetic on the catalogue's measured rates.

For the planner, in this order:

    link = links.link_between(card, system, cards, bridging, facts.speed)        # NO_LINK for one card
    host = links.host_factor(system, card, layout, facts.speed)                  # 1.0 for one card
    setup = SpeedSetup(training, card, estimate.trainable_parameters, link, host_factor=host, power_cap_w=cap)
    step = step.step_time(setup, facts.speed)        # None: no compute rate was published for this card
    run = run.run_hours(step, run.RunPlan(tokens=workload.tokens_per_run, ...), facts.speed)

A customer's own test run: `calibration.calibrate(setup, tokens_per_s, facts.speed)` into `SpeedSetup.calibration`.

`engine.speed.types` holds the inputs, results and the facts; `terms` the formulas; `bands` the uncertainty; `evidence`
the comparison with published measurements; `cluster` jobs that outgrow one machine.
"""
