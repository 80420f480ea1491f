"""The one source of randomness: SplitMix64 with Lemire's unbiased bounded draw.

Other engines must reproduce the same games bit by bit, so the generator is ours and small. The state is one 64-bit
number.

- next: `s = (s + 0x9E3779B97F4A7C15) mod 2^64`, mixed by the two multiplications below (Steele, Lea, Flood 2014;
Vigna's constants).
- below(n): the high 64 bits of `next * n`; a draw whose low 64 bits are under `2^64 mod n` is thrown away (Lemire
2019), so every outcome is
  equally likely.
- derive(seed, words): the seed of another stream: FNV-1a (64 bits) over the UTF-8 text `seed/word/word...`, mixed once.
"""

from __future__ import annotations

MASK = 0xFFFFFFFFFFFFFFFF
GAMMA = 0x9E3779B97F4A7C15


def mix(z: int) -> int:
    """The output function of SplitMix64: a bijection of the 64-bit numbers."""
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def below(state: int, n: int) -> tuple[int, int]:
    """A number from 0 to n-1 and the next state. `n` is from 1 to 2^63."""
    while True:
        state = (state + GAMMA) & MASK
        z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        product = (z ^ (z >> 31)) * n
        low = product & MASK
        if low >= n or low >= (-n & MASK) % n:
            return product >> 64, state


def derive(seed: int, *words: str | int) -> int:
    """The seed of a stream of its own, from 0 to 2^64-1: the same words give the same stream on every machine."""
    digest = 0xCBF29CE484222325
    for byte in "/".join(map(str, (seed, *words))).encode():
        digest = ((digest ^ byte) * 0x100000001B3) & MASK
    return mix(digest)


class Random:
    """A stream of draws, for players that choose at random."""

    def __init__(self, seed: int) -> None:
        self.state = seed & MASK

    def below(self, n: int) -> int:
        """A number from 0 to n-1, each as likely."""
        value, self.state = below(self.state, n)
        return value
