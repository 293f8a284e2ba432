import { html, nothing } from './lit-html.js';
import * as api from './api.js';
import { chart } from './chart.js';
import { change, key, title } from './item.js';
import { go, link, replace } from './route.js';
import { full, moment, shown } from './time.js';

const CLASSES = ['spec', 'metadata', 'status', 'noise'];
const RANGES = [['5 min', 5], ['15 min', 15], ['1 h', 60], ['6 h', 360]];
const PAGE = 500;
const FIRST_PAGES = 4;
const MOST_LIVE = 5_000;

/** The home: what changed in a range of time, newest first. */
export class Changes {
  constructor(parameters, update) {
    this.update = update;
    this.stop = new AbortController();
    const get = (name) => parameters.get(name) ?? '';
    this.query = {
      from: get('from') || new Date(Date.now() - 15 * 60_000).toISOString(),
      to: get('to') || new Date().toISOString(),
      namespace: get('namespace'), resource: get('resource'), name: get('name'),
      selector: get('selector'), class: get('class') || 'spec,metadata', group: get('group'),
    };
    // Absolute times, so that the address shows the same to others, and later.
    replace('changes', this.query);
    this.items = [];
    this.hidden = {};
    this.token = '';
    this.loading = true;
    this.load(FIRST_PAGES);
  }

  close() {
    this.stop.abort();
  }

  request() {
    const { from, to, namespace, resource, name, selector } = this.query;
    const parameters = new URLSearchParams({ from, to, class: this.query.class, limit: PAGE });
    for (const [parameter, value] of Object.entries({ namespace, resource, name, labelSelector: selector })) {
      if (value) parameters.set(parameter, value);
    }
    return parameters;
  }

  async load(pages) {
    this.loading = true;
    this.update();
    try {
      for (let i = 0; i < pages; i++) {
        const parameters = this.request();
        if (this.token) parameters.set('continue', this.token);
        const page = await api.json(`changes?${parameters}`, { signal: this.stop.signal });
        this.items.push(...page.items);
        for (const [name, count] of Object.entries(page.hidden)) {
          this.hidden[name] = (this.hidden[name] ?? 0) + count;
        }
        if (!this.first && !page.complete) this.askWhy();
        this.first ??= page;
        this.token = page.metadata.continue ?? '';
        this.update();
        if (!this.token) break;
      }
    } catch (e) {
      if (e.name !== 'AbortError') this.problem = e;
    }
    this.loading = false;
    this.update();
  }

  /** Without the right to it, the notice says less. */
  async askWhy() {
    try {
      this.mirror = await api.json('cluster', { signal: this.stop.signal });
      this.update();
    } catch {
      // Said above.
    }
  }

  async follow() {
    if (this.live) {
      this.live.abort();
      this.live = undefined;
      this.update();
      return;
    }
    const live = new AbortController();
    this.live = live;
    this.stop.signal.addEventListener('abort', () => live.abort());
    const parameters = this.request();
    parameters.delete('to');
    parameters.delete('limit');
    parameters.set('from', this.first?.to.resourceVersion ?? this.query.to);
    parameters.set('watch', 'true');
    this.update();
    try {
      await api.lines(`changes?${parameters}`, (item) => {
        if (item.kind === 'Status') throw new api.ApiError(item.code, item.message);
        this.items.unshift(item);
        this.items.length = Math.min(this.items.length, MOST_LIVE);
        this.query.to = item.time;
        this.update();
      }, live.signal);
    } catch (e) {
      if (e.name !== 'AbortError') this.problem = e;
    }
    if (this.live === live) this.live = undefined;
    this.update();
  }

  submit(event) {
    event.preventDefault();
    const form = new FormData(event.target);
    const from = moment(form.get('from'));
    const to = form.get('to').trim() === 'now' ? new Date().toISOString() : moment(form.get('to'));
    if (!from || !to) {
      this.problem = new Error('write times as 14:03, 2026-11-21 14:03, -15m, or as a revision');
      this.update();
      return;
    }
    go('changes', {
      from, to, namespace: form.get('namespace'), resource: form.get('resource'), name: this.query.name,
      selector: form.get('selector'), class: CLASSES.filter((name) => form.has(name)).join(',') || 'spec',
      group: form.has('group') ? 'owner' : '',
    });
  }

  render() {
    return html`
      <h1>What changed</h1>
      <section class="panel" aria-label="Range and filters">${this.form()}</section>
      ${this.problem ? html`<p class="panel problem" role="alert">${this.problem.message}</p>` : nothing}
      ${this.notice()}
      ${this.graph()}
      ${this.feed()}
      ${this.token && !this.loading
        ? html`<button @click=${() => this.load(FIRST_PAGES)}>Load earlier changes</button>` : nothing}`;
  }

  form() {
    const { from, to, namespace, resource, selector, group } = this.query;
    const classes = this.query.class.split(',');
    return html`
      <form class="filters" @submit=${(e) => this.submit(e)}>
        <label>from <input name="from" .value=${shown(from)} size="19" autocomplete="off"></label>
        <label>to <input name="to" .value=${shown(to)} size="19" autocomplete="off"></label>
        <label>namespace <input name="namespace" .value=${namespace} size="14" placeholder="all"></label>
        <label>resource <input name="resource" .value=${resource} size="20" placeholder="all, or pods,deployments.apps" list="resources"></label>
        <label>labels <input name="selector" .value=${selector} size="14" placeholder="app=web"></label>
        ${CLASSES.map((name) => html`
          <label class="check"><input type="checkbox" name=${name} ?checked=${classes.includes(name)}>
            ${name}${this.hidden[name] ? html` <span class="soft">(${this.hidden[name]} hidden)</span>` : nothing}</label>`)}
        <label class="check"><input type="checkbox" name="group" ?checked=${group === 'owner'}> by owner</label>
        <button class="main">Show</button>
        <span class="row">${RANGES.map(([text, minutes]) => html`
          <button type="button" @click=${() => this.last(minutes)}>${text}</button>`)}
          <button type="button" aria-pressed=${this.live ? 'true' : 'false'} class=${this.live ? 'live' : ''}
              @click=${() => this.follow()}>Live</button></span>
      </form>`;
  }

  last(minutes) {
    const now = Date.now();
    go('changes', {
      ...this.query, from: new Date(now - minutes * 60_000).toISOString(), to: new Date(now).toISOString(),
    });
  }

  notice() {
    if (!this.first || this.first.complete) return nothing;
    return html`<p class="panel notice">The history begins at ${full(this.first.floor.time)}, revision
      ${this.first.floor.resourceVersion}. What happened before is not known here. ${this.reason()}</p>`;
  }

  /** Why the history begins there, if the node tells more than that it is the oldest it keeps. */
  reason() {
    const { epoch, connector } = this.mirror ?? {};
    const gaps = connector?.gaps; // The connector is null while no node reaches it.
    if (gaps?.count && String(gaps.lastFloor) === this.first.floor.resourceVersion) {
      return `A gap: etcd compacted the changes after ${gaps.lastFrom} before they were read.`;
    }
    return epoch > 1 ? `It is epoch ${epoch}: etcd was restored or replaced, and a new history began.` : '';
  }

  graph() {
    if (!this.first) return nothing;
    const iso = (value, known) => (/^\d+$/.test(value) ? known : value);
    const oldest = this.items.at(-1)?.time ?? this.first.to.time;
    return html`
      <section class="panel" aria-label="Changes over time">
        ${chart({
          items: this.items,
          from: iso(this.query.from, this.first.from.time), to: iso(this.query.to, this.first.to.time),
          known: this.token ? oldest : this.first.complete ? '1970-01-01T00:00:00Z' : this.first.floor.time,
          pick: (from, to) => go('changes', { ...this.query, from, to }),
        })}
        <div class="legend">${CLASSES.map((name) => html`<span><i class=${name}></i>${name}</span>`)}
          <span class="grow"></span><span>${this.items.length} changes${this.token ? ', more are not loaded' : ''}</span></div>
      </section>`;
  }

  feed() {
    if (!this.first) return this.loading ? html`<p class="soft" role="status">Loading…</p>` : nothing;
    if (this.items.length === 0) {
      return html`<p class="panel">Nothing of these classes changed in this range.</p>`;
    }
    if (this.query.group !== 'owner') {
      return html`<ol class="feed">${this.items.map((item) => html`<li>${change(item)}</li>`)}</ol>`;
    }
    const groups = new Map();
    for (const item of this.items) {
      const owner = item.root ?? item.object;
      const name = key(owner);
      if (!groups.has(name)) groups.set(name, { owner, items: [] });
      groups.get(name).items.push(item);
    }
    return html`${[...groups.values()].map(({ owner, items }) => html`
      <h2 class="row">
        <a href=${link('object', { resource: owner.resource, namespace: owner.namespace, name: owner.name })}>${title(owner)}</a>
        <span class="soft">${items.length} changes</span></h2>
      <ol class="feed">${items.map((item) => html`<li>${change(item)}</li>`)}</ol>`)}`;
  }
}
