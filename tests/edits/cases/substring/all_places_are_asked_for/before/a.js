let id = user_id;
