namespace Acme;

public class Billing
{
    public decimal Gross(Order order)
    {
        var total = order.Total;
        return total * 1m;
    }

    public decimal Net(Order order)
    {
        var total = order.Total;
        return total * 2m;
    }

    public decimal Tax(Order order)
    {
        var total = order.Total;
        return total * 3m;
    }

    public decimal Discount(Order order)
    {
        var total = order.Total;
        return total * 4m;
    }

}
