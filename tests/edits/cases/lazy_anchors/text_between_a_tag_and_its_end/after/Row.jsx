export const Row = ({ item, drop, keep }) => (
  <li>
    <label>{item.title}</label>
    <span>{item.count}</span>
    <button onClick={() => drop(item.id)}>
      Remove
    </button>
    <em>{item.note}</em>
  </li>
);
