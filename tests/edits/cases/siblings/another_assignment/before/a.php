        $row = $this->fetch();
        $sum += $row->price;
        $this->store($sum);
        $this->log($row);
