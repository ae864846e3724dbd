cat <<X
	done
  done
X
