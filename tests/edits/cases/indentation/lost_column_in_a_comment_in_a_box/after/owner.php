<?php
interface Owner {
    /**
     * @param   int  $user
     * @throws  Gone
     * @return  bool
     */
    public function isOwner($user);
}
