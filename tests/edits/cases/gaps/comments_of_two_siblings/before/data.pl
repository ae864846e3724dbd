# database, Version 14.0.0.  Any changes made here will be lost!

# INTERNAL USE ONLY
# This table is for internal use only.  The format and even the
# name or existence of this table are subject to change without notice.

# database, Version 14.0.0.  Any changes made here will be lost!

# INTERNAL AND PRIVATE USE ONLY
# This file is for internal use only.  The format and even the
# name or existence of this file are subject to change without notice.
