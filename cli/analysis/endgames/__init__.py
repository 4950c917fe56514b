"""Endings practised by kind: random positions, a defence and a judgement by tables or by the engine."""
