def open_gate(gate, crew):
    gate.check(crew)
    valve = gate.find_valve(crew.lead)
    limit = gate.min_flow(valve)
    log.note("gate", gate.name)
    valve.set_flow(limit)
    crew.confirm(gate, limit)
    return limit


def close_gate(gate):
    gate.seal()
