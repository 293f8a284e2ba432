import { html, nothing } from './lit-html.js';
import { objectLink } from './route.js';
import { clock, full } from './time.js';

const MANY = 3;

/** Items that are open: only their fields are in the document. */
const opened = new WeakSet();

export function open(item) {
  opened.add(item);
}

function toggled(event, item) {
  if (event.target.open === opened.has(item)) return;
  if (event.target.open) opened.add(item);
  else opened.delete(item);
  dispatchEvent(new CustomEvent('redraw'));
}

/**
 * One change: a line, and on demand its fields. `before` is the revision that shows the object without it: by default the
 * one before the change's, but of two states that are compared the earlier one.
 */
export function change(item, { withObject = true, before } = {}) {
  return html`
    <details .open=${opened.has(item)} @toggle=${(e) => toggled(e, item)}>
      <summary>
        <time class="mono" datetime=${item.time} title=${full(item.time)}>${clock(item.time)}</time>
        <span class="type ${item.type}">${item.type}</span>
        <span class="name">${withObject ? title(item.object) : `revision ${item.resourceVersion}`}</span>
        <span class="what">${summary(item)}
          ${item.managers ? html`<span class="who">by ${item.managers.join(', ')}</span>` : nothing}</span>
      </summary>
      ${opened.has(item) ? html`<div class="detail">${detail(item, before)}</div>` : nothing}
    </details>`;
}

export function title(object) {
  const name = object.namespace ? `${object.namespace}/${object.name}` : object.name;
  return html`<span class="soft">${object.kind}</span> <bdi>${name}</bdi>`;
}

function summary(item) {
  if (item.message) return item.message;
  const all = (item.changes ?? []).map((field) => field.path);
  const isStatus = (path) => path.startsWith('status.');
  const paths = [...all.filter((path) => !isStatus(path)), ...all.filter(isStatus)];
  const more = paths.length - MANY + (item.moreChanges ?? 0);
  return paths.slice(0, MANY).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function detail(item, before = String(BigInt(item.resourceVersion) - 1n)) {
  return html`
    <p class="row soft">
      <span>revision ${item.resourceVersion}, ${full(item.time)}</span>
      ${item.object.resource ? html`
        <a href=${objectLink(item.object)}>history of the object</a>
        <a href=${objectLink(item.object, before)}>as it was before</a>` : nothing}
      ${item.root?.resource ? html`<a href=${objectLink(item.root)}>${item.root.kind} ${item.root.name}</a>` : nothing}
    </p>
    ${item.message ? html`<p><bdi>${item.message}</bdi></p>` : nothing}
    ${item.changes ? fields(item.changes, item.moreChanges ?? 0) : nothing}`;
}

/** A table of fields with their values before and after. */
export function fields(changes, more = 0) {
  return html`
    <div class="scroll" tabindex="0"><table>
      <thead><tr><th>field</th><th>before</th><th>after</th><th>by</th></tr></thead>
      <tbody>${changes.map((field) => html`
        <tr>
          <td class="mono"><bdi>${field.path}</bdi></td>
          <td class="mono old">${value(field.old, field)}</td>
          <td class="mono new">${value(field.new, field)}</td>
          <td>${field.manager ?? ''}</td>
        </tr>`)}
      </tbody>
    </table></div>
    ${more > 0 ? html`<p class="soft">and ${more} more fields</p>` : nothing}`;
}

function value(content, field) {
  if (field.hidden) return html`<span class="soft">hidden</span>`;
  if (content === undefined) return html`<span class="soft">none</span>`;
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  return html`<bdi>${text}</bdi>${field.cut ? html`<span class="soft"> (cut)</span>` : nothing}`;
}

/** Names an object by what it is, for groups. */
export function key(object) {
  return `${object.resource || object.kind} ${object.namespace ?? ''}/${object.name}`;
}

/** What a page of changes says of etcd. */
export function unasked({ through }) {
  return through
    ? html`<p class="panel notice">etcd cannot be asked: shown through revision ${through}.</p>` : nothing;
}

/** That a page is of another range than the one that was asked for. */
export function shortened({ instead }, from) {
  return instead ? html`<p class="panel notice">Without the right to the history, only the last minutes can be read:
    shown is what changed since ${full(from)}.</p>` : nothing;
}
