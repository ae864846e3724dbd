<?php
interface Owner {
    /**
     * @param   int  $user
     * @return  bool
     */
    public function isGuest($user);
    public function isOwner($user);
}
