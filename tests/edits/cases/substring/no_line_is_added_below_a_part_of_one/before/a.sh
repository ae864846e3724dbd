start
kill $PID
wait $PID now
