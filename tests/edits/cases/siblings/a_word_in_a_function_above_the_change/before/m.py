    def parse(self, response):
        """Parse the actions of a response."""
        content = response["content"] or ""
        return find_actions(
            content,
            pattern=self.config.rules,
            template=self.template,
        )

    mode = "strict"
    size = 12
