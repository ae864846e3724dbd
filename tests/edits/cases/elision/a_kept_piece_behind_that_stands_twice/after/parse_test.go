package parse

var tests = []test{
	{
		name: "nothing",
		input: "",
		want: 1,
	},
	{
		name: "list",
		input: "a b",
		want: 2,
	},
}
