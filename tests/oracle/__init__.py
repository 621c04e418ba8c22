"""The rules of the three games, written to be obviously right rather than fast.

Nothing here imports honte: honte's own rules are checked against these positions.
Each module offers one immutable `Position` with the same small interface:

    to_move  legal_moves()  play(move)  why_illegal(move)  is_over  winner  score  cells()

Moves, cells and scores are those of the contract. `why_illegal` gives None for a legal move and
one word for any other, so that a test can also count which kinds of illegal move it has tried.
"""
