class Api
{
    [HttpGet("users")]
    public string Users()
    {
        log();
        return all;
    }

    [HttpGet("items")]
    public string Items()
    {
        log();
        return all;
    }
}
