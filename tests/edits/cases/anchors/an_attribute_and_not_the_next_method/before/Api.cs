class Api
{
    [HttpGet("users")]
    public string Users()
    {
        log();
        return users;
    }

    [HttpGet("items")]
    public string Items()
    {
        check();
        return items;
    }
}
