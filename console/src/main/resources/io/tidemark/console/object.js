import { html, nothing } from './lit-html.js';
import * as api from './api.js';
import { change, fields, key } from './item.js';
import { go, link } from './route.js';
import { full } from './time.js';
import { asOf } from './yaml.js';

const VERSIONS = 300;
const FAMILY = 500;

/** One object: its versions, the object as of each, who set what, and what came and went with it. */
export class ObjectView {
  constructor(parameters, update) {
    this.update = update;
    this.stop = new AbortController();
    const get = (name) => parameters.get(name) ?? '';
    this.resource = get('resource');
    this.namespace = get('namespace');
    this.name = get('name');
    this.at = get('at');
    this.load();
  }

  close() {
    this.stop.abort();
  }

  async load() {
    const signal = this.stop.signal;
    try {
      const one = new URLSearchParams({ resource: this.resource, name: this.name, class: 'all', limit: VERSIONS });
      if (this.namespace) one.set('namespace', this.namespace);
      this.versions = (await api.json(`changes?${one}`, { signal })).items;
      this.update();
      await this.show(signal);
      await this.relatives(signal);
    } catch (e) {
      if (e.name !== 'AbortError') this.problem = e;
    }
    this.update();
  }

  async show(signal) {
    const deleted = !this.at && this.versions[0]?.type === 'DELETED';
    const at = this.at || (deleted ? String(BigInt(this.versions[0].resourceVersion) - 1n) : '');
    this.shownAt = at;
    try {
      this.yaml = await asOf(this.resource, this.namespace, this.name, at, signal);
      this.missing = 'There was no such object.';
    } catch (e) {
      if (e.name === 'AbortError') throw e;
      this.yaml = '';
      this.missing = e.message;
    }
    this.update();
  }

  /** The changes of the objects whose chain of owners ends here. */
  async relatives(signal) {
    const self = key({ resource: this.resource, namespace: this.namespace, name: this.name });
    const all = new URLSearchParams({ class: 'spec,metadata,status', limit: FAMILY });
    if (this.namespace) all.set('namespace', this.namespace);
    try {
      const page = await api.json(`changes?${all}`, { signal });
      this.family = page.items.filter((item) => item.root && key(item.root) === self);
    } catch (e) {
      if (e.name === 'AbortError') throw e;
      this.familyProblem = e.message;
    }
    this.update();
  }

  command(verb, rest) {
    const where = this.namespace ? ` -n ${this.namespace}` : '';
    return `tidemark ${verb} ${this.resource}/${this.name}${where}${rest}`;
  }

  pick(at) {
    go('object', { resource: this.resource, namespace: this.namespace, name: this.name, at });
  }

  render() {
    return html`
      <h1><span class="soft">${this.resource}</span> <bdi>${this.namespace ? `${this.namespace}/` : ''}${this.name}</bdi></h1>
      ${this.problem ? html`<p class="panel problem" role="alert">${this.problem.message}</p>` : nothing}
      <div class="two">
        <section aria-label="Versions"><h2>Its changes</h2>${this.timeline()}</section>
        <section aria-label="The object"><h2>${this.shownAt ? `As of revision ${this.shownAt}` : 'As it is now'}</h2>
          ${this.document()}</section>
      </div>
      ${this.blame()}
      <h2>What came and went with it</h2>
      ${this.relativesList()}`;
  }

  timeline() {
    if (!this.versions) return html`<p class="soft" role="status">Loading…</p>`;
    if (this.versions.length === 0) return html`<p class="panel">No change of it is in the history.</p>`;
    return html`<ol class="feed">${this.versions.map((item) => html`
      <li>${change(item, { withObject: false })}
        <div class="row detail">
          <button @click=${() => this.pick(item.resourceVersion)}>as of ${item.resourceVersion}</button>
          <button @click=${() => this.pick(String(BigInt(item.resourceVersion) - 1n))}>before it</button>
          ${this.comparison(item)}
        </div></li>`)}</ol>`;
  }

  /** With the version that is shown; of two, the earlier one comes first. */
  comparison(item) {
    const at = this.shownAt ?? '';
    if (at === item.resourceVersion) return nothing;
    const earlier = at !== '' && (/^\d+$/.test(at)
      ? BigInt(at) < BigInt(item.resourceVersion) : Date.parse(at) < Date.parse(item.time));
    const [from, to] = earlier ? [at, item.resourceVersion] : [item.resourceVersion, at];
    const { resource, namespace, name } = this;
    return html`<a href=${link('compare', { resource, namespace, name, from, to })}>compare with the one shown</a>`;
  }

  document() {
    if (this.yaml === undefined) return html`<p class="soft" role="status">Loading…</p>`;
    if (!this.yaml) return html`<p class="panel notice">${this.missing}</p>`;
    const undo = this.at ? this.command('undo', ` --to ${this.at}`) : '';
    return html`
      <div class="panel"><pre class="yaml" tabindex="0" aria-label="YAML of the object">${this.yaml}</pre></div>
      ${undo ? html`<p class="soft">To go back to this state: <code>${undo}</code> prints the YAML to apply.
        <button @click=${() => this.pick('')}>show it as it is now</button></p>` : nothing}`;
  }

  /** For each field the newest change of it: the timeline has them all. */
  blame() {
    const latest = new Map();
    for (const item of this.versions ?? []) {
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
    if (this.familyProblem) return html`<p class="panel notice">${this.familyProblem}</p>`;
    if (!this.family) return html`<p class="soft" role="status">Loading…</p>`;
    if (this.family.length === 0) return html`<p class="panel">Nothing in the newest changes.</p>`;
    return html`<ol class="feed">${this.family.map((item) => html`<li>${change(item)}</li>`)}</ol>`;
  }
}
