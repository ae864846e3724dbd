import os
import re
