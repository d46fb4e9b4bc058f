'use strict';
// Elements, without ever making any of text: what a plan says is only ever put in as text.

const byId = (id) => document.getElementById(id);

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) element.setAttribute(name, '');
    else if (value !== false && value !== undefined) element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

const make = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);
const makeSvg = (tag, attributes = {}, ...children) =>
  fill(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);

function button(text, onClick, attributes = {}) {
  const b = make('button', { type: 'button', ...attributes }, text);
  b.addEventListener('click', onClick);
  return b;
}

// Text whose colours are U+0001 and a letter, "0" for their end (styled.h).
function styled(text) {
  const out = document.createDocumentFragment();
  let classes = '';
  const put = (piece) => {
    if (piece) out.append(classes ? make('span', { class: classes }, piece) : piece);
  };
  const [first, ...rest] = text.split('\x01');
  put(first);
  for (const part of rest) {
    classes = part[0] === '0' ? '' : `${classes} ${part[0]}`.trim();
    put(part.slice(1));
  }
  return out;
}

const plain = (text) => text.replace(/\x01./g, '');
const escapeRegExp = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const counted = (n, what) => `${n.toLocaleString('en')} ${what}${n === 1 ? '' : 's'}`;

// Calls `action` once events stop coming for a moment.
function settled(action, milliseconds = 120) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(action, milliseconds);
  };
}
