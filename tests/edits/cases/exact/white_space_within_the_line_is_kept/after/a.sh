cat <<X
	next
  done
X
