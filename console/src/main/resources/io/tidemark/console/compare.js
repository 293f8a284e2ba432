import { html, nothing } from './lit-html.js';
import * as api from './api.js';
import { change, open, shortened, unasked } from './item.js';
import { lineDiff } from './linediff.js';
import { firstPage, remember } from './recent.js';
import { go, link, replace } from './route.js';
import { absolute, entered, full, shown } from './time.js';
import { asOf } from './yaml.js';

const PAGE = 500;
const MOST = 2_000;
const SIGNS = { old: '-', new: '+', same: ' ' };

/** What differs between two times: of one object its fields and lines, of many which ones came, went and changed. */
export class Compare {
  constructor(parameters, update) {
    this.update = update;
    this.stop = new AbortController();
    const get = (name) => parameters.get(name) ?? '';
    this.query = {
      resource: get('resource') || 'pods', namespace: get('namespace'), name: get('name'), selector: get('selector'),
      from: get('from') || '-15m', to: get('to') === 'now' ? '' : get('to'),
    };
    this.chosen = Boolean(get('from') || get('to'));
    this.items = [];
    this.token = '';
    this.load();
  }

  close() {
    this.stop.abort();
  }

  async load() {
    const signal = this.stop.signal;
    this.loading = true;
    try {
      await this.page(signal);
      if (this.query.name) await this.lines(signal);
    } catch (e) {
      if (e.name !== 'AbortError') this.problem = e;
    }
    this.loading = false;
    this.update();
  }

  request({ from, to }) {
    const { resource, namespace, name, selector } = this.query;
    const parameters = new URLSearchParams({ compare: true, from, resource, class: 'all', limit: PAGE });
    for (const [parameter, value] of Object.entries({ to, namespace, name, labelSelector: selector })) {
      if (value) parameters.set(parameter, value);
    }
    return parameters;
  }

  async page(signal) {
    this.first = await firstPage(this.query, this.chosen, (range) => api.changes(this.request(range), signal));
    const parameters = this.request(this.first.instead ?? this.query);
    this.begin();
    this.take(this.first);
    while (this.token && this.items.length < MOST) {
      parameters.set('continue', this.token);
      this.take(await api.changes(parameters, signal));
    }
  }

  begin() {
    const { from, to } = this.first.instead ?? this.query;
    const range = absolute({ from, to }, this.first);
    remember({ from, to }, range);
    Object.assign(this.query, range);
    replace('compare', this.query);
  }

  take(page) {
    this.items.push(...page.items);
    if (this.query.name) page.items.forEach(open);
    this.token = page.metadata.continue ?? '';
    this.update();
  }

  /** The exact states that were compared, not those of the times that were asked for. */
  async lines(signal) {
    const { resource, name } = this.query;
    if (this.items.length !== 1) return; // Without a namespace objects of several may have the name.
    const { namespace } = this.items[0].object;
    const [before, after] = await Promise.all([this.first.from, this.first.to]
      .map((point) => asOf(resource, namespace, name, point.resourceVersion, signal)));
    this.diff = lineDiff(before, after);
  }

  submit(event) {
    event.preventDefault();
    const form = new FormData(event.target);
    const text = (name) => form.get(name).trim();
    try {
      go('compare', {
        from: entered(text('from'), this.query.from), to: entered(text('to'), this.query.to),
        resource: text('resource'), namespace: text('namespace'), name: text('name'), selector: text('selector'),
      });
    } catch (e) {
      this.problem = e;
      this.update();
    }
  }

  render() {
    const { resource, namespace, name, selector, from, to } = this.query;
    return html`
      <h1>What differs</h1>
      <section class="panel" aria-label="States and filters">
        <form class="filters" @submit=${(e) => this.submit(e)}>
          <label>from <input name="from" .value=${shown(from)} size="19" autocomplete="off"></label>
          <label>to <input name="to" .value=${shown(to)} size="19" autocomplete="off"></label>
          <label>resource <input name="resource" .value=${resource} size="24" list="resources"></label>
          <label>namespace <input name="namespace" .value=${namespace} size="14" placeholder="all"></label>
          <label>name <input name="name" .value=${name} size="20" placeholder="all"></label>
          <label>labels <input name="selector" .value=${selector} size="14" placeholder="app=web"></label>
          <button class="main">Compare</button>
        </form>
      </section>
      ${this.problem ? html`<p class="panel problem" role="alert">${this.problem.message}</p>` : nothing}
      ${this.states()}
      ${this.diff?.length ? html`<h2>As YAML</h2>${this.yaml()}` : nothing}`;
  }

  states() {
    if (!this.first) return this.loading ? html`<p class="soft" role="status">Loading…</p>` : nothing;
    const { from, to, complete } = this.first;
    const count = (type) => this.items.filter((item) => item.type === type).length;
    return html`
      ${unasked(this.first)}${shortened(this.first, this.query.from)}
      ${complete ? nothing : html`<p class="panel notice">The history begins later than the time asked for. Compared is
        the oldest known state, of ${full(from.time)}.</p>`}
      <p class="row soft" role="status">${this.loading ? 'Loading…' : ''}
        <span>revision ${from.resourceVersion} (${full(from.time)}) and ${to.resourceVersion} (${full(to.time)}):
          ${count('ADDED')} added, ${count('MODIFIED')} changed, ${count('DELETED')} deleted${this.token ? ', more are not loaded' : ''}</span>
        <a href=${link('changes', { ...this.query, class: 'spec,metadata,status' })}>each change between them</a></p>
      ${this.items.length === 0
        ? html`<p class="panel">${this.loading || this.token
          ? 'None found so far: the two states have not been read to their end.' : 'Nothing differs.'}</p>`
        : html`<ol class="feed">${this.items.map((item) => html`
          <li>${change(item, { before: from.resourceVersion })}</li>`)}</ol>`}`;
  }

  yaml() {
    return html`<div class="panel scroll"><pre class="yaml" tabindex="0" aria-label="Lines that differ">${this.diff.map(({ kind, text }) =>
      html`<span class=${kind}>${kind === 'skip' ? `… ${text} equal lines` : `${SIGNS[kind]} ${text}`}\n</span>`)}</pre></div>`;
  }
}
