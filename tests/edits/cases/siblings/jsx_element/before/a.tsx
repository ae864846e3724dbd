<Button kind="danger"
  onClick={go}
  disabled
>
  Save
</Button>
