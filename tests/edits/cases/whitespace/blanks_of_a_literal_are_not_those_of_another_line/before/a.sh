cat <<EOF
  a   b
EOF
echo 1
