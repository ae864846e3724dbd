export function Field({ name, ...rest }) {
  const label = labelOf(name);
  return (
    <Row>
      <Label>{label}</Label>
      <Input
        {...others}
        wide
      />
    </Row>
  );
}
