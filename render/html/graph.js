// The graph of what changes and why: as many resources at once as a person can look at, and the chain of the
// selected one.

const kMostDrawn = 400;

class GraphView {
  constructor(data, changes, onChange) {
    Object.assign(this, { data: data.graph, kinds: data.kinds, changes, onChange, selected: -1 });
    this.svg = byId('graph-drawing');
    this.camera = new Camera(this.svg);
    this.before = this.data.nodes.map(() => []);
    this.after = this.data.nodes.map(() => []);
    this.data.edges.forEach(([from, to], i) => {
      this.before[from].push(i);
      this.after[to].push(i);
    });
    this.controls();
    if (!this.data.edges.some((e) => !e[2])) byId('graph-dependencies').parentElement.hidden = true;
  }

  controls() {
    byId('graph-find').addEventListener('input', settled(() => {
      if (this.data.nodes.length > kMostDrawn) this.select(-1);
      else this.draw();
    }));
    byId('graph-dependencies').addEventListener('change', () => this.draw());
    byId('graph-in').addEventListener('click', () => this.camera.zoom(0.8));
    byId('graph-out').addEventListener('click', () => this.camera.zoom(1.25));
    byId('graph-fit').addEventListener('click', () => this.camera.fit());
    this.svg.addEventListener('keydown', (event) => this.key(event));
    this.svg.addEventListener('click', (event) => {
      if (!this.camera.dragged) this.select(Number(event.target.closest('.node')?.dataset.n ?? -1));
    });
    // One stop for the tabulator: the node that was last there.
    this.svg.addEventListener('focusin', (event) => {
      if (event.target.dataset.n === undefined) return;
      for (const g of this.svg.querySelectorAll('.node[tabindex="0"]')) g.setAttribute('tabindex', '-1');
      event.target.setAttribute('tabindex', '0');
    });
  }

  edges() {
    const all = byId('graph-dependencies').checked;
    return this.data.edges.map((e, i) => i).filter((i) => all || this.data.edges[i][2]);
  }

  // What this node comes from and what comes from it, along the edges that are drawn.
  chain(node) {
    const shown = new Set(this.edges()), nodes = new Set([node]), edges = new Set();
    for (const [rows, end] of [[this.before, 1], [this.after, 0]]) {
      const todo = [node], seen = new Set(todo);
      while (todo.length)
        for (const e of rows[todo.pop()]) {
          if (!shown.has(e)) continue;
          edges.add(e);
          const next = this.data.edges[e][end];
          nodes.add(next);
          if (!seen.has(next)) seen.add(next), todo.push(next);
        }
    }
    return { nodes, edges };
  }

  // All nodes; of too many, the chain of the selected one, or those that are looked for, the riskiest of them.
  chosen(hits) {
    const all = this.data.nodes.map((_, n) => n);
    if (all.length <= kMostDrawn) return all;
    const risk = (n) => this.data.nodes[n][3];
    const wanted = this.selected >= 0 ? [...this.chain(this.selected).nodes]
      : (hits ? [...hits] : all).sort((x, y) => risk(x) - risk(y) || x - y);
    return wanted.slice(0, kMostDrawn).sort((x, y) => x - y);
  }

  draw() {
    const find = byId('graph-find').value.trim();
    const like = find && new RegExp(escapeRegExp(find).replace(/\\\*/g, '.*'), 'i');
    const hits = like ? new Set(this.data.nodes.map((_, n) => n).filter((n) => like.test(this.data.nodes[n][0]))) : null;
    const nodes = this.chosen(hits), there = new Set(nodes);
    const edges = this.edges().filter((e) => there.has(this.data.edges[e][0]) && there.has(this.data.edges[e][1]));
    this.camera.place = layout(nodes, edges.map((e) => this.data.edges[e]));
    const marker = (id) => makeSvg('marker', { id, viewBox: '0 0 8 8', refX: 8, refY: 4, markerWidth: 7, markerHeight: 7,
      markerUnits: 'userSpaceOnUse', orient: 'auto' }, makeSvg('path', { d: 'M0 0L8 4L0 8z' }));
    const focused = this.svg.contains(document.activeElement) ? document.activeElement.dataset.n : undefined;
    this.svg.replaceChildren(makeSvg('defs', {}, marker('arrow'), marker('arrow-why')),
      ...edges.map((e) => this.edge(e)), ...nodes.map((n) => this.node(n, hits)));
    this.svg.querySelector('.node')?.setAttribute('tabindex', '0');
    this.status(nodes.length, hits);
    this.camera.fit();
    this.highlight();
    if (this.camera.place.has(this.selected)) this.camera.reveal(this.selected);
    if (focused !== undefined) this.element(Number(focused))?.focus({ preventScroll: true });
  }

  element(n) {
    return this.svg.querySelector(`.node[data-n="${n}"]`);
  }

  status(drawn, hits) {
    const total = this.data.nodes.length;
    let text = counted(total, 'resource');
    if (drawn < total)
      text = `${drawn.toLocaleString('en')} of ${text}${this.selected >= 0 ? ', the chain of the selected one: Escape leaves it.'
        : ', riskiest first. Find others by their address.'}`;
    if (hits) text += ` ${hits.size.toLocaleString('en')} found.`;
    if (!this.data.dependencies) text += ' There are too many dependencies to draw.';
    byId('graph-status').textContent = text;
  }

  edge(e) {
    const [from, to, why, ...attributes] = this.data.edges[e];
    const [x2, y2] = this.camera.place.get(from), [x1, y1] = this.camera.place.get(to), h = kBox.height / 2;
    const a = x1 + kBox.width, bend = Math.max(30, (x2 - a) / 2);
    const path = makeSvg('path', { class: why ? 'edge why' : 'edge', 'data-e': e, 'marker-end': `url(#${why ? 'arrow-why' : 'arrow'})`,
      d: `M${a} ${y1 + h}C${a + bend} ${y1 + h} ${x2 - bend} ${y2 + h} ${x2} ${y2 + h}` });
    if (attributes.length) path.append(makeSvg('title', {}, attributes.join(', ')));
    return path;
  }

  node(n, hits) {
    const [address, kind, count] = this.data.nodes[n], [x, y] = this.camera.place.get(n), [, mark, style, outcome] = this.kinds[kind];
    const name = count > 1 ? `${address} ×${count}` : address;
    const room = 28 - mark.length;
    const short = name.length > room ? `…${name.slice(1 - room)}` : name;
    return makeSvg('g', { class: `node${hits?.has(n) ? ' hit' : ''}`, 'data-n': n, transform: `translate(${x} ${y})`,
      tabindex: '-1', role: 'button', 'aria-label': `${address}: ${count > 1 ? `${counted(count, 'instance')} ` : ''}${outcome}` },
    makeSvg('title', {}, `${name}: ${outcome}`),
    makeSvg('rect', { width: kBox.width, height: kBox.height, rx: 5 }),
    makeSvg('text', { x: 8, y: 17 }, makeSvg('tspan', { class: `sign ${style}` }, mark), mark ? ' ' : '', short));
  }

  select(n) {
    this.selected = n;
    if (this.data.nodes.length > kMostDrawn) this.draw();
    this.highlight();
    this.panel();
  }

  highlight() {
    const on = this.selected >= 0 && this.camera.place.has(this.selected);
    const { nodes, edges } = on ? this.chain(this.selected) : { nodes: new Set(), edges: new Set() };
    this.svg.classList.toggle('dimmed', on);
    for (const g of this.svg.querySelectorAll('.node')) {
      const n = Number(g.dataset.n);
      g.classList.toggle('chain', nodes.has(n));
      g.classList.toggle('selected', n === this.selected);
      g.setAttribute('aria-pressed', n === this.selected);
    }
    for (const p of this.svg.querySelectorAll('.edge')) p.classList.toggle('chain', edges.has(Number(p.dataset.e)));
  }

  panel() {
    const panel = byId('graph-panel');
    panel.replaceChildren();
    if (this.selected < 0) return;
    const [address, kind, count] = this.data.nodes[this.selected];
    panel.append(make('h3', {}, make('code', {}, address)),
      make('p', {}, count > 1 ? `${counted(count, 'instance')} ` : '', this.kinds[kind][3]));
    const list = (title, edges, end) => {
      if (!edges.length) return;
      const items = edges.slice(0, 30).map((e) => {
        const attributes = this.data.edges[e].slice(3);
        return make('li', {}, button(this.data.nodes[this.data.edges[e][end]][0], () => this.show(this.data.edges[e][end])),
          attributes.length ? ` (${attributes.join(', ')})` : '');
      });
      if (edges.length > 30) items.push(make('li', {}, `and ${edges.length - 30} more`));
      panel.append(make('h3', {}, title), make('ul', {}, ...items));
    };
    const why = (e) => this.data.edges[e][2];
    list('Follows from', this.before[this.selected].filter(why), 1);
    list('Leads to', this.after[this.selected].filter(why), 0);
    list('Depends on', this.before[this.selected].filter((e) => !why(e)), 1);
    list('Comes before', this.after[this.selected].filter((e) => !why(e)), 0);
    const own = this.changes.filter((c) => c.node === this.selected);
    const items = own.slice(0, 30).map((c) => make('li', {}, button(c.address, () => this.onChange(c.address))));
    if (own.length > 30) items.push(make('li', {}, `and ${own.length - 30} more`));
    panel.append(make('h3', {}, own.length > 1 ? 'Diffs' : 'Diff'), make('ul', {}, ...items));
  }

  // Selects a node and brings it into view.
  show(n) {
    this.select(n);
    this.camera.center(n);
    this.element(n)?.focus({ preventScroll: true });
  }

  // From a node to the nearest that comes before or after it, above or below it.
  step(n, key) {
    const [x0, y0] = this.camera.place.get(n), shown = new Set(this.edges());
    const ends = { ArrowLeft: [this.before, 1], ArrowRight: [this.after, 0] }[key];
    const near = ends ? ends[0][n].filter((e) => shown.has(e)).map((e) => this.data.edges[e][ends[1]])
      : [...this.camera.place.keys()].filter((m) => this.camera.place.get(m)[0] === x0 && (this.camera.place.get(m)[1] - y0) * (key === 'ArrowDown' ? 1 : -1) > 0);
    const distance = (m) => Math.abs(this.camera.place.get(m)[1] - y0);
    const to = near.filter((m) => this.camera.place.has(m)).sort((a, b) => distance(a) - distance(b))[0];
    if (to === undefined) return;
    this.camera.reveal(to);
    this.element(to).focus({ preventScroll: true });
  }

  key(event) {
    const n = event.target.dataset.n;
    if (n !== undefined && (event.key === 'Enter' || event.key === ' ')) {
      this.select(Number(n));
      event.preventDefault();
    } else if (event.key === 'Escape') {
      this.select(-1);
    } else if (event.key === '+' || event.key === '-') {
      this.camera.zoom(event.key === '+' ? 0.8 : 1.25);
    } else if (event.key === '0') {
      this.camera.fit();
    } else if (event.key.startsWith('Arrow') && n !== undefined) {
      this.step(Number(n), event.key);
      event.preventDefault();
    } else if (event.key.startsWith('Arrow')) {
      this.camera.pan(...{ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key]);
      event.preventDefault();
    }
  }
}
