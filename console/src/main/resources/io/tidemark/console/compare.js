import { html, nothing } from './lit-html.js';
import * as api from './api.js';
import { change, open } from './item.js';
import { lineDiff } from './linediff.js';
import { go, link, replace } from './route.js';
import { full, moment, shown } from './time.js';
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
      from: get('from') || new Date(Date.now() - 15 * 60_000).toISOString(),
      to: get('to') || new Date().toISOString(),
    };
    replace('compare', this.query);
    this.items = [];
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

  async page(signal) {
    const { from, to, resource, namespace, name, selector } = this.query;
    const parameters = new URLSearchParams({ compare: true, from, to, resource, class: 'all', limit: PAGE });
    for (const [parameter, value] of Object.entries({ namespace, name, labelSelector: selector })) {
      if (value) parameters.set(parameter, value);
    }
    let token = '';
    do {
      if (token) parameters.set('continue', token);
      const page = await api.json(`changes?${parameters}`, { signal });
      this.first ??= page;
      this.items.push(...page.items);
      if (name) page.items.forEach(open);
      token = page.metadata.continue ?? '';
      this.update();
    } while (token && this.items.length < MOST);
    this.more = token !== '';
  }

  /** The exact states that were compared, not those of the times that were asked for. */
  async lines(signal) {
    const { resource, namespace, name } = this.query;
    const [before, after] = await Promise.all([this.first.from, this.first.to]
      .map((point) => asOf(resource, namespace, name, point.resourceVersion, signal)));
    this.diff = lineDiff(before, after);
  }

  submit(event) {
    event.preventDefault();
    const form = new FormData(event.target);
    const time = (name) => (['', 'now'].includes(form.get(name).trim()) ? new Date().toISOString() : moment(form.get(name)));
    const [from, to] = [time('from'), time('to')];
    if (!from || !to) {
      this.problem = new Error('write times as 14:03, 2026-11-21 14:03, -15m, or as a revision');
      this.update();
      return;
    }
    go('compare', {
      from, to, resource: form.get('resource'), namespace: form.get('namespace'), name: form.get('name'),
      selector: form.get('selector'),
    });
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
      ${complete ? nothing : html`<p class="panel notice">The history begins later than the time asked for. Compared is
        the oldest known state, of ${full(from.time)}.</p>`}
      <p class="row soft" role="status">${this.loading ? 'Loading…' : ''}
        <span>revision ${from.resourceVersion} (${full(from.time)}) and ${to.resourceVersion} (${full(to.time)}):
          ${count('ADDED')} added, ${count('MODIFIED')} changed, ${count('DELETED')} deleted${this.more ? ', more are not loaded' : ''}</span>
        <a href=${link('changes', { ...this.query, class: 'spec,metadata,status' })}>each change between them</a></p>
      ${this.items.length === 0 && !this.loading
        ? html`<p class="panel">Nothing differs.</p>`
        : html`<ol class="feed">${this.items.map((item) => html`<li>${change(item)}</li>`)}</ol>`}`;
  }

  yaml() {
    return html`<div class="panel scroll"><pre class="yaml" tabindex="0" aria-label="Lines that differ">${this.diff.map(({ kind, text }) =>
      html`<span class=${kind}>${kind === 'skip' ? `… ${text} equal lines` : `${SIGNS[kind]} ${text}`}\n</span>`)}</pre></div>`;
  }
}
