echo first, max x
