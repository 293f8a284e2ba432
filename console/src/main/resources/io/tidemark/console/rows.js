import { repeat } from './directives/repeat.js';
import { html } from './lit-html.js';

const HEIGHT = 30;
const AROUND = 12;

/** Many lines of one height, of which only those in sight are in the document. */
export class Rows {
  constructor(update) {
    this.update = update;
    this.top = 0;
    this.view = 800;
  }

  scrolled(event) {
    this.top = event.target.scrollTop;
    this.view = event.target.clientHeight;
    this.update();
  }

  /** `cell(row, column)` gives the content of a cell; the column of names is the widest. */
  render(columns, rows, cell) {
    const first = Math.max(0, Math.floor(this.top / HEIGHT) - AROUND);
    const last = Math.min(rows.length, Math.ceil((this.top + this.view) / HEIGHT) + AROUND);
    const grid = columns.map((name) => (name === 'Name' ? 'minmax(140px, 3fr)' : 'minmax(60px, 1fr)')).join(' ');
    const lines = [];
    for (let i = first; i < last; i++) lines.push(i);
    return html`
      <div class="virtual" role="table" aria-rowcount=${rows.length + 1} tabindex="0" aria-label="Objects"
          @scroll=${(e) => this.scrolled(e)}>
        <div class="space" role="rowgroup" .styleHeight=${(rows.length + 1) * HEIGHT}>
          <div class="line head" role="row" aria-rowindex="1" data-grid=${grid}>
            ${columns.map((name) => html`<span role="columnheader">${name}</span>`)}</div>
          ${repeat(lines, (i) => i, (i) => html`
            <div class="line" role="row" aria-rowindex=${i + 2} data-grid=${grid} data-top=${(i + 1) * HEIGHT}>
              ${columns.map((_, column) => html`<span role="cell">${cell(rows[i], column)}</span>`)}</div>`)}
        </div>
      </div>`;
  }

  /** After each rendering: what the content security policy forbids as attributes. */
  place(root) {
    for (const line of root.querySelectorAll('.virtual .line')) {
      line.style.gridTemplateColumns = line.dataset.grid;
      line.style.top = line.dataset.top ? `${line.dataset.top}px` : '';
    }
    const space = root.querySelector('.virtual .space');
    if (space) space.style.height = `${space.styleHeight}px`;
  }
}
