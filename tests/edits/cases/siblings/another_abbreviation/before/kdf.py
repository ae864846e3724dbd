from base import Derivation


class KBKDFCMAC(Derivation):
    def __init__(
        self,
        key,
    ):
        self.key = key
