case "$1" in
  -v)
    print_all
    ;;
  -h)
    echo "usage"
    exit 0
    ;;
  *)
    walk "$1"
    ;;
esac
