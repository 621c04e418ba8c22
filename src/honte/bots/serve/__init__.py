"""Our players as somebody else's engine: one file per protocol, and one loop for all of them.

An engine takes what a controller says, bytes by bytes, and answers over its `Wires`. It holds
no process, no thread and no clock, so tests talk to it with strings; `loop` brings those.
"""
