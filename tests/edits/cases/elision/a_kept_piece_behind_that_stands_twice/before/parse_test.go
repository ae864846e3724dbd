package parse

var tests = []test{
	{
		name: "empty",
		input: "",
		want: 1,
	},
	{
		name: "list",
		input: "a b",
		want: 2,
	},
}
