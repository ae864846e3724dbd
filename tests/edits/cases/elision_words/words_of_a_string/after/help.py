HELP = """
Packs and weighs all of it
"""
