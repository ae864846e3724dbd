<?php

class Users
{
    public function show($id)
    {
        $this->authorize('manage');
        return view('show');
    }

    public function edit($id)
    {
        $this->authorize('manage');
        return view('form');
    }

    public function drop($id)
    {
        $this->authorize('manage');
        return view('drop');
    }
}
