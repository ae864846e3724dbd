impl Display for Reply {
    fn fmt(&self) -> String {
        self.text()
    }
}
