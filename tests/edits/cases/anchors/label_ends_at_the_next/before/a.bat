:grow
set n=2
goto end

:shrink
set n=1
goto end
