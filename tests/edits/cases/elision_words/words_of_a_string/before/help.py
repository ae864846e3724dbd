HELP = """
Packs all that was ordered.
Weighs it, and prints
what it weighs.
"""
