let key = user_key;
