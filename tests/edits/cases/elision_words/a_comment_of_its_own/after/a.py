# Keep the existing users.
a = 2
