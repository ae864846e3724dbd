=== an element next to an elision: new, or changed?
--- file
function A() {
  return <p>Hi</p>;
}

function B() {
  const x = 1;
  return (
    <div className="b">
      <h1>Title</h1>
      <p>One</p>
      <p>Two</p>
    </div>
  );
}
--- sketch
// ... existing code ...

function B() {
  // ... existing code ...
  return (
    <div className="b">
      <h1>Other title</h1>
      {/* ... existing code ... */}
    </div>
  );
}
--- refused: changed
=== an element within a component
--- file
function A() {
  return <p>Hi</p>;
}

function B() {
  const x = 1;
  return (
    <div className="b">
      <h1>Title</h1>
      <p>One</p>
      <p>Two</p>
    </div>
  );
}
--- sketch
// ... existing code ...

function B() {
  // ... existing code ...
  return (
    <div className="b">
      <h1>Other title</h1>
      <p>One</p>
      {/* ... existing code ... */}
    </div>
  );
}
--- result
function A() {
  return <p>Hi</p>;
}

function B() {
  const x = 1;
  return (
    <div className="b">
      <h1>Other title</h1>
      <p>One</p>
      <p>Two</p>
    </div>
  );
}
