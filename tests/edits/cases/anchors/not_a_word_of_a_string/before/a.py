print('def foo')
import os
