def set_name(self):
    data = self.data
    check(data)
    return data
