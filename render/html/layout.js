// Where the nodes of a graph go: layers from what comes first to what follows, each node near those it is
// connected with, and those that stand alone below.

const kBox = { width: 230, height: 26, gapX: 90, gapY: 12 };

// Which nodes to draw, in which layer and row.
function layout(nodes, edges) {
  const layer = new Map(nodes.map((n) => [n, 0])), after = new Map(nodes.map((n) => [n, []]));
  const before = new Map(nodes.map((n) => [n, []])), waiting = new Map(nodes.map((n) => [n, 0]));
  for (const [from, to] of edges) {
    after.get(to).push(from);
    before.get(from).push(to);
    waiting.set(from, waiting.get(from) + 1);
  }
  const ready = nodes.filter((n) => !waiting.get(n));
  for (let i = 0; i < ready.length; ++i)
    for (const next of after.get(ready[i])) {
      layer.set(next, Math.max(layer.get(next), layer.get(ready[i]) + 1));
      waiting.set(next, waiting.get(next) - 1);
      if (!waiting.get(next)) ready.push(next);
    }
  const alone = nodes.filter((n) => !after.get(n).length && !before.get(n).length);
  const layers = [];
  for (const n of nodes)
    if (after.get(n).length || before.get(n).length) (layers[layer.get(n)] ||= []).push(n);
  const row = new Map();
  const number = (list) => list.forEach((n, i) => row.set(n, i - list.length / 2));
  layers.forEach(number);
  // Near what they are connected with: a few sweeps there and back.
  for (let sweep = 0; sweep < 6; ++sweep)
    for (const list of sweep % 2 ? [...layers].reverse() : layers) {
      const middle = (n) => {
        const near = (sweep % 2 ? after : before).get(n);
        return near.length ? near.reduce((sum, m) => sum + row.get(m), 0) / near.length : row.get(n);
      };
      const at = new Map(list.map((n) => [n, middle(n)]));
      list.sort((a, b) => at.get(a) - at.get(b) || a - b);
      number(list);
    }
  const place = new Map();
  const stepX = kBox.width + kBox.gapX, stepY = kBox.height + kBox.gapY;
  layers.forEach((list, x) => list.forEach((n) => place.set(n, [x * stepX, row.get(n) * stepY])));
  const tallest = Math.max(0, ...layers.map((l) => l.length)), columns = Math.max(3, layers.length);
  alone.forEach((n, i) => place.set(n, [(i % columns) * (kBox.width + 20),
    (tallest / 2 + 1 + Math.floor(i / columns)) * stepY]));
  return place;
}

