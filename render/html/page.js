// Brings the page to life: reads its data, fills the lists, and draws the graph when it is looked at.

const kMostPrinted = 1000;

function setUpTheme() {
  const names = ['automatic', 'dark', 'light'], b = byId('theme');
  let at = 0;
  try {
    at = Math.max(0, names.indexOf(localStorage.getItem('xplan-theme')));
  } catch (e) {
    // Without storage it is not remembered.
  }
  const show = () => {
    if (at) document.documentElement.dataset.theme = names[at];
    else delete document.documentElement.dataset.theme;
    b.textContent = `Theme: ${names[at]}`;
  };
  b.addEventListener('click', () => {
    at = (at + 1) % names.length;
    try {
      localStorage.setItem('xplan-theme', names[at]);
    } catch (e) {
      // As above.
    }
    show();
  });
  show();
}

// A list of its own, in a section that is there only if the list is not empty.
function setUpSection(name, data) {
  const changes = data[name].map((row, i) => new Change(row, i, data));
  const list = changes.length ? new ChangeList(byId(`${name}-list`), changes) : null;
  byId(name).hidden = !list;
  return list;
}

function setUpPrinting(lists) {
  let open = [];
  window.addEventListener('beforeprint', () => {
    open = [...document.querySelectorAll('details')].filter((d) => d.open);
    for (const list of lists) list.complete(kMostPrinted);
    const left = lists[0].changes.length - lists[0].made;
    byId('not-printed').hidden = left <= 0;
    byId('not-printed').textContent = `${counted(left, 'more change')} not printed: a filter chooses which are.`;
  });
  window.addEventListener('afterprint', () => {
    byId('not-printed').hidden = true;
    for (const details of document.querySelectorAll('ol.rows details')) details.open = open.includes(details);
  });
}

function setUp() {
  const data = JSON.parse(byId('data').textContent);
  const changes = data.changes.map((row, i) => new Change(row, i, data));
  for (const element of document.querySelectorAll('.scripted')) element.hidden = false;
  setUpTheme();
  byId('changes').hidden = byId('graph').hidden = !changes.length;
  byId('no-match').hidden = byId('not-printed').hidden = true;
  let graph = null, filter = null;
  const list = new ChangeList(byId('changes-list'), changes, (node) => {
    byId('graph').scrollIntoView();
    graph.show(node);
  });
  if (changes.length) {
    filter = new Filter(changes, list);
    graph = new GraphView(data, changes, (address) => filter.only(address));
    graph.draw();
  }
  byId('open-all').addEventListener('click', () => list.toggleAll(true));
  byId('close-all').addEventListener('click', () => list.toggleAll(false));
  const lists = [list, setUpSection('drift', data), setUpSection('deferred', data)].filter(Boolean);
  setUpPrinting(lists);
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target.closest('input, select, svg')) return;
    byId('filter-address').focus();
    event.preventDefault();
  });
}

setUp();
