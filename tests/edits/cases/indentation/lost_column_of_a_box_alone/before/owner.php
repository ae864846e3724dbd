<?php
interface Owner {
    /**
     * @param   int  $user
     * @return  bool
     */
    public function isOwner($user);
}
