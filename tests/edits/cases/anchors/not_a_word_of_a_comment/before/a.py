# see def foo
import os
