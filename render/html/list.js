// Lists of changes: a row each, its diff made when it is opened, and no more rows than somebody has asked for.

const kFirstRows = 100, kMoreRows = 500;

class Change {
  // As data.h has it.
  constructor(row, index, data) {
    const [address, kind, module, type, risk, note, node, text] = row;
    Object.assign(this, { address, note, node, text, risk, index });
    [this.action, this.mark, this.style, this.outcome] = data.kinds[kind];
    this.module = data.modules[module];
    this.type = data.types[type];
  }

  // What can be searched: the diff without its colours.
  get words() {
    if (this.cached === undefined) this.cached = plain(this.text);
    return this.cached;
  }

  element(inGraph) {
    const summary = make('summary', {},
      make('span', { class: `mark ${this.style}`, 'aria-hidden': 'true' }, this.mark),
      make('code', {}, this.address),
      ' ', make('span', { class: 'outcome' }, this.outcome));
    if (this.note) {
      const grave = this.note.startsWith('stores data');
      summary.append(' ', make('span', { class: grave ? 'tag' : 'note' }, this.note));
    }
    const details = make('details', {}, summary);
    details.addEventListener('toggle', () => this.complete(details, inGraph));
    return make('li', {}, details);
  }

  complete(details, inGraph) {
    if (!details.open || details.childElementCount > 1) return;
    if (inGraph && this.node >= 0)
      details.append(button('Show in the graph', () => inGraph(this.node), { class: 'in-graph' }));
    details.append(make('pre', { tabindex: '0', 'aria-label': `Diff of ${this.address}` }, styled(this.text)));
  }
}

class ChangeList {
  constructor(element, changes, inGraph) {
    Object.assign(this, { element, changes, inGraph, made: 0 });
    this.more = button('', () => this.extend(kMoreRows), { class: 'more' });
    element.after(this.more);
    element.addEventListener('keydown', (event) => this.key(event));
    this.show(changes);
  }

  show(changes) {
    this.changes = changes;
    this.made = 0;
    this.element.replaceChildren();
    this.extend(kFirstRows);
  }

  extend(count) {
    const end = Math.min(this.changes.length, this.made + count);
    const rows = document.createDocumentFragment();
    for (; this.made < end; ++this.made) rows.append(this.changes[this.made].element(this.inGraph));
    this.element.append(rows);
    const left = this.changes.length - this.made;
    this.more.hidden = left === 0;
    this.more.textContent = `Show ${counted(Math.min(left, kMoreRows), 'more change')}`;
  }

  rows() {
    return [...this.element.querySelectorAll('details')];
  }

  // Of the rows that there are: thousands of diffs at once would be of no use to anybody.
  toggleAll(open) {
    for (const details of this.rows()) details.open = open;
  }

  // For a printer: every row that the filter leaves, up to a number that paper can bear.
  complete(most) {
    this.extend(Math.max(0, most - this.made));
    this.rows().forEach((details, i) => {
      details.open = true;
      this.changes[i].complete(details, this.inGraph);
    });
  }

  key(event) {
    if (event.target.tagName !== 'SUMMARY') return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step && event.key !== 'Home') return;
    const rows = this.rows();
    const to = step ? rows.indexOf(event.target.parentElement) + step : 0;
    if (!rows[to]) return;
    rows[to].querySelector('summary').focus();
    event.preventDefault();
  }
}

class Filter {
  constructor(changes, list) {
    Object.assign(this, { changes, list, actions: new Set() });
    this.byRisk = [...changes].sort((a, b) => a.risk - b.risk || a.index - b.index);
    this.options(byId('filter-module'), (c) => c.module, '(root module)');
    this.options(byId('filter-type'), (c) => c.type, '');
    this.buttons();
    const later = settled(() => this.apply());
    byId('filter').addEventListener('input', later);
    byId('filter').addEventListener('submit', (event) => event.preventDefault());
    byId('filter').addEventListener('reset', () => setTimeout(() => this.reset()));
    byId('filter').addEventListener('keydown', (event) => {
      if (event.key !== 'Escape' || event.target.type !== 'search') return;
      event.target.value = '';
      this.apply();
    });
    this.apply();
  }

  options(select, of, nameless) {
    const counts = new Map();
    for (const c of this.changes) counts.set(of(c), (counts.get(of(c)) || 0) + 1);
    for (const name of [...counts.keys()].sort())
      select.append(make('option', { value: `=${name}` }, `${name || nameless} (${counts.get(name)})`));
    select.parentElement.hidden = counts.size < 2;
  }

  buttons() {
    const counts = new Map();
    for (const c of this.byRisk) counts.set(c.action, (counts.get(c.action) || 0) + 1);
    for (const [action, count] of counts) {
      const b = button(`${action} (${count.toLocaleString('en')})`, () => {
        this.actions.delete(action) || this.actions.add(action);
        b.setAttribute('aria-pressed', this.actions.has(action));
        this.apply();
      }, { 'aria-pressed': 'false' });
      byId('filter-actions').append(b);
    }
  }

  reset() {
    this.actions.clear();
    for (const b of byId('filter-actions').children) b.setAttribute('aria-pressed', 'false');
    this.apply();
  }

  apply() {
    const value = (id) => byId(id).value;
    const address = value('filter-address').trim(), text = value('filter-text');
    const module = value('filter-module'), type = value('filter-type');
    const addressLike = address && new RegExp(escapeRegExp(address).replace(/\\\*/g, '.*'), 'i');
    const textLike = text && new RegExp(escapeRegExp(text), 'i');
    const found = (value('filter-order') === 'risk' ? this.byRisk : this.changes).filter((c) =>
      (!this.actions.size || this.actions.has(c.action)) && (!module || module === `=${c.module}`) &&
      (!type || type === `=${c.type}`) && (!addressLike || addressLike.test(c.address)) &&
      (!textLike || textLike.test(c.words)));
    this.list.show(found);
    byId('no-match').hidden = found.length > 0;
    byId('shown').textContent = found.length === this.changes.length ? counted(found.length, 'change')
      : `${found.length.toLocaleString('en')} of ${counted(this.changes.length, 'change')}`;
  }

  // Leaves the one change with this address, opened.
  only(address) {
    byId('filter').reset();
    setTimeout(() => {
      byId('filter-address').value = address;
      this.apply();
      const at = this.list.changes.findIndex((c) => c.address === address);
      this.list.extend(Math.max(0, at + 1 - this.list.made));
      const row = this.list.rows()[at];
      if (!row) return;
      row.open = true;
      row.querySelector('summary').focus();
      row.scrollIntoView({ block: 'center' });
    });
  }
}
