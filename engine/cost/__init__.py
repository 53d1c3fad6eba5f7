"""What owning, renting or not training costs: pure functions over prices, power, hours and sourced assumptions."""
