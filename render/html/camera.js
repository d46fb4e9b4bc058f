// Which part of a drawing is looked at: by buttons, by dragging, with the wheel.

class Camera {
  // `place` is where the nodes are, once they are.
  constructor(svg) {
    Object.assign(this, { svg, place: new Map(), view: [0, 0, 1, 1], dragged: false });
    this.pointer();
  }

  look(...view) {
    this.view = view;
    this.svg.setAttribute('viewBox', view.map((v) => v.toFixed(1)).join(' '));
  }

  fit() {
    const places = [...this.place.values()];
    if (!places.length) return;
    const xs = places.map((p) => p[0]), ys = places.map((p) => p[1]);
    const x = Math.min(...xs) - 20, y = Math.min(...ys) - 20;
    const w = Math.max(...xs) + kBox.width + 20 - x, h = Math.max(...ys) + kBox.height + 20 - y;
    // As high as it takes, up to what page.css permits.
    this.svg.style.height = `${Math.max(140, Math.min(640, h * Math.min(1, this.svg.getBoundingClientRect().width / w)))}px`;
    const frame = this.svg.getBoundingClientRect();
    // Never larger than life, nor so small that nothing can be read: then its beginning.
    const scale = Math.min(1, Math.max(0.55, Math.min(frame.width / w, frame.height / h)));
    const vw = frame.width / scale, vh = frame.height / scale;
    this.look(w < vw ? x - (vw - w) / 2 : x, h < vh ? y - (vh - h) / 2 : y, vw, vh);
  }

  zoom(factor, px = 0.5, py = 0.5) {
    const [x, y, w, h] = this.view;
    const f = Math.min(Math.max(w * factor, 150), 60000) / w;
    this.look(x + w * (1 - f) * px, y + h * (1 - f) * py, w * f, h * f);
  }

  pan(x, y) {
    const [left, top, w, h] = this.view;
    this.look(left + x * w / 8, top + y * h / 8, w, h);
  }

  center(n) {
    const [x, y] = this.place.get(n), [, , w, h] = this.view;
    this.look(x + kBox.width / 2 - w / 2, y + kBox.height / 2 - h / 2, w, h);
  }

  reveal(n) {
    const [x, y] = this.place.get(n), [vx, vy, w, h] = this.view;
    if (x < vx || y < vy || x + kBox.width > vx + w || y + kBox.height > vy + h) this.center(n);
  }

  pointer() {
    let drag = null;
    this.svg.addEventListener('pointerdown', (event) => {
      drag = { x: event.clientX, y: event.clientY, view: this.view };
      this.dragged = false;
    });
    this.svg.addEventListener('pointermove', (event) => {
      if (!drag || !event.buttons) return;
      this.dragged ||= Math.abs(event.clientX - drag.x) + Math.abs(event.clientY - drag.y) > 4;
      if (!this.dragged) return;
      const scale = drag.view[2] / this.svg.getBoundingClientRect().width;
      this.look(drag.view[0] - (event.clientX - drag.x) * scale, drag.view[1] - (event.clientY - drag.y) * scale,
        drag.view[2], drag.view[3]);
    });
    this.svg.addEventListener('pointerup', () => { drag = null; });
    // With a modifier, as browsers zoom; two fingers on a touchpad count as one.
    this.svg.addEventListener('wheel', (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const frame = this.svg.getBoundingClientRect();
      this.zoom(event.deltaY < 0 ? 0.8 : 1.25, (event.clientX - frame.left) / frame.width, (event.clientY - frame.top) / frame.height);
    }, { passive: false });
  }
}
