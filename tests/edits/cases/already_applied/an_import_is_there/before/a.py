import a
import c
import d

run()
