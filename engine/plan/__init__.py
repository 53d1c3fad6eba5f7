"""From a scenario to a recommendation.

`recommend` is the way in. It walks the catalogue (`candidates`, with `card_rules`, `site_rules`, `power`, `bridges`),
puts every workload on every candidate (`layouts`, `sizing`, `timing`, `placement`, `host`), judges month, price and
budget (`load`, `purchase`, `judgement`), orders what is left (`rank`) and says why (`why`). `memo` keeps estimates and
times for the next call. Nothing is dropped silently: a candidate becomes a plan or a rejection with its reason.
"""
