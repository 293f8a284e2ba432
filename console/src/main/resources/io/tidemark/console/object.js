import { html, nothing } from './lit-html.js';
import * as api from './api.js';
import { change, fields, key, unasked } from './item.js';
import { go, link, replace } from './route.js';
import { full, moment, shown } from './time.js';
import { asOf } from './yaml.js';

const VERSIONS = 300;
const FAMILY = 500;
const MOST_PAGES = 4;

/** One object: its versions, the object as of each, who set what, and what came and went with it. */
export class ObjectView {
  constructor(parameters, update) {
    this.update = update;
    this.stop = new AbortController();
    const get = (name) => parameters.get(name) ?? '';
    this.resource = get('resource');
    this.namespace = get('namespace');
    this.name = get('name');
    this.at = get('at') === 'now' ? '' : get('at');
    replace('object', this.address(this.at));
    this.versions = [];
    this.family = [];
    this.unknown = {};
    this.load();
  }

  close() {
    this.stop.abort();
  }

  address(at) {
    return { resource: this.resource, namespace: this.namespace, name: this.name, at };
  }

  /** Each part may fail alone: who may read the object may not have the right to its past. */
  async load() {
    const family = this.part('family', () => this.relatives());
    await this.part('versions', () => this.history());
    await this.part('object', () => this.show());
    await family;
  }

  async part(name, read) {
    try {
      await read();
    } catch (e) {
      if (e.name !== 'AbortError') this.unknown[name] = e.message;
    }
    this.update();
  }

  /** Reads some pages, while they are wanted, of which any may be empty, and returns whether there are more. */
  async pages(parameters, wanted, take) {
    if (this.namespace) parameters.set('namespace', this.namespace);
    for (let i = 0; i < MOST_PAGES && wanted(); i++) {
      const page = await api.changes(parameters, this.stop.signal);
      take(page);
      this.update();
      const token = page.metadata.continue ?? '';
      if (!token) return false;
      parameters.set('continue', token);
    }
    return true;
  }

  async history() {
    const one = new URLSearchParams({ resource: this.resource, name: this.name, class: 'all', limit: VERSIONS });
    this.more = await this.pages(one, () => this.versions.length < VERSIONS, (page) => {
      this.fix(page);
      this.versions.push(...page.items);
      this.through ??= page.through;
    });
  }

  /** A time before now becomes absolute by the clock of the node, if it tells its time. */
  fix({ answered }) {
    const now = Date.parse(answered);
    if (!this.at.startsWith('-') || !now) return;
    this.at = moment(this.at, now) || this.at;
    replace('object', this.address(this.at));
  }

  async show() {
    const newest = this.versions[0];
    const deleted = newest?.type === 'DELETED';
    this.shownAt = this.at || (deleted ? String(BigInt(newest.resourceVersion) - 1n) : this.through ?? '');
    this.kind = await api.resource(this.resource, this.shownAt);
    this.yaml = await asOf(this.resource, this.namespace, this.name, this.shownAt, this.stop.signal);
    this.kind = await api.resource(this.resource, this.shownAt); // It may be a newer one since.
  }

  /** The changes of the objects that it owns, and of those whose chain of owners ends here. */
  async relatives() {
    const self = key({ resource: this.resource, namespace: this.namespace, name: this.name });
    const isOfSelf = (item) => [item.owner, item.root].some((each) => each && key(each) === self);
    const all = new URLSearchParams({ class: 'spec,metadata,status', limit: FAMILY });
    await this.pages(all, () => this.family.length < FAMILY, (page) => {
      this.family.push(...page.items.filter(isOfSelf));
    });
    this.familyRead = true;
  }

  /** For a shell: an address that somebody else wrote must not run anything when its command is copied. */
  undo() {
    const where = this.namespace && this.kind?.namespaced ? ['-n', this.namespace] : [];
    return ['tidemark', 'undo', `${this.resource}/${this.name}`, ...where, '--to', this.at].map(quoted).join(' ');
  }

  pick(at) {
    go('object', this.address(at));
  }

  render() {
    return html`
      <h1><span class="soft">${this.resource}</span> <bdi>${this.namespace ? `${this.namespace}/` : ''}${this.name}</bdi></h1>
      ${unasked(this)}
      <div class="two">
        <section aria-label="Versions"><h2>Its changes</h2>${this.timeline()}</section>
        <section aria-label="The object"><h2>${heading(this.shownAt)}</h2>
          ${this.document()}</section>
      </div>
      ${this.blame()}
      <h2>What came and went with it</h2>
      ${this.relativesList()}`;
  }

  timeline() {
    if (this.versions.length === 0) return this.noVersions();
    return html`${notKnown(this.unknown.versions)}<ol class="feed">${this.versions.map((item) => html`
      <li>${change(item, { withObject: false })}
        <div class="row detail">
          <button @click=${() => this.pick(item.resourceVersion)}>as of ${item.resourceVersion}</button>
          <button @click=${() => this.pick(String(BigInt(item.resourceVersion) - 1n))}>before it</button>
          ${this.comparison(item)}
        </div></li>`)}</ol>
      ${this.more ? html`<p>There are more. ${this.earlier()}</p>` : nothing}`;
  }

  noVersions() {
    if (this.unknown.versions) return notKnown(this.unknown.versions);
    if (this.more === undefined) return html`<p class="soft" role="status">Loading…</p>`;
    return this.more ? html`<p class="panel">None found so far. ${this.earlier()}</p>`
      : html`<p class="panel">No change of it is in the history.</p>`;
  }

  /** The view of changes reads on, from the begin of the history. */
  earlier() {
    const { resource, namespace, name } = this;
    const range = { from: '1', to: this.versions.at(-1)?.time };
    return html`<a href=${link('changes', { resource, namespace, name, class: 'all', ...range })}>Earlier changes</a>`;
  }

  /** With the version that is shown; of two, the earlier one comes first. */
  comparison(item) {
    const at = this.shownAt ?? '';
    if (at === item.resourceVersion) return nothing;
    const [from, to] = isAfter(item, at) ? [at, item.resourceVersion] : [item.resourceVersion, at];
    const { resource, namespace, name } = this;
    return html`<a href=${link('compare', { resource, namespace, name, from, to })}>compare with the one shown</a>`;
  }

  document() {
    if (this.unknown.object) return html`<p class="panel notice">${this.unknown.object}</p>`;
    if (this.yaml === undefined) return html`<p class="soft" role="status">Loading…</p>`;
    if (!this.yaml) return html`<p class="panel notice">There was no such object.</p>`;
    const undo = this.at ? this.undo() : '';
    return html`
      <div class="panel"><pre class="yaml" tabindex="0" aria-label="YAML of the object">${this.yaml}</pre></div>
      ${undo ? html`<p class="soft">To go back to this state: <code>${undo}</code> prints the YAML to apply.
        <button @click=${() => this.pick('')}>show it as it is now</button></p>` : nothing}`;
  }

  /** For each field the newest change of it in the object that is shown: the timeline has them all. */
  blame() {
    const latest = new Map();
    for (const item of this.versions) {
      if (isAfter(item, this.shownAt)) continue;
      if (item.type !== 'MODIFIED') break; // What is before belongs to a former object of the name.
      for (const field of item.changes ?? []) {
        if (!latest.has(field.path)) latest.set(field.path, { field, item });
      }
    }
    if (latest.size === 0) return nothing;
    const rows = [...latest.values()].filter(({ field }) => !field.path.startsWith('status.'));
    return rows.length === 0 ? nothing : html`
      <h2>Who set it last</h2>
      <div class="panel">${fields(rows.map(({ field, item }) => ({
        ...field, manager: `${field.manager ?? 'unknown'}, ${full(item.time)}`,
      })))}</div>`;
  }

  relativesList() {
    if (this.family.length === 0) {
      if (this.unknown.family) return notKnown(this.unknown.family);
      return this.familyRead ? html`<p class="panel">Nothing in the newest changes.</p>`
        : html`<p class="soft" role="status">Loading…</p>`;
    }
    return html`${notKnown(this.unknown.family)}
      <ol class="feed">${this.family.map((item) => html`<li>${change(item)}</li>`)}</ol>`;
  }
}

/** Whether a change came after a state; never after the present. */
function isAfter(item, at = '') {
  if (at === '') return false;
  return /^\d+$/.test(at) ? BigInt(at) < BigInt(item.resourceVersion) : Date.parse(at) < Date.parse(item.time);
}

function heading(at) {
  if (!at) return 'As it is now';
  return /^\d+$/.test(at) ? `As of revision ${at}` : `As of ${shown(at)}`;
}

function quoted(word) {
  return /^[\w.:/@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function notKnown(problem) {
  return problem ? html`<p class="panel notice">Not known: ${problem}</p>` : nothing;
}
