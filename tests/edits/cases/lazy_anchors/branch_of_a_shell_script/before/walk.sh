case "$1" in
  -v)
    show_version
    ;;
  -h)
    echo "usage"
    exit 0
    ;;
  *)
    walk "$1"
    ;;
esac
