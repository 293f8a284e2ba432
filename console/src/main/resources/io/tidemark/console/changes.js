import { repeat } from './directives/repeat.js';
import { html, nothing } from './lit-html.js';
import * as api from './api.js';
import { chart } from './chart.js';
import { change, key, shortened, title, unasked } from './item.js';
import { firstPage, RECENT, remember } from './recent.js';
import { go, link, objectLink, replace } from './route.js';
import { absolute, entered, full, shown } from './time.js';

const CLASSES = ['spec', 'metadata', 'status', 'noise'];
// Without the right to the history, the last five minutes can be read: less the time that a request takes.
const RANGES = [['5 min', '-295s'], ['15 min', '-15m'], ['1 h', '-1h'], ['6 h', '-6h']];
const PAGE = 500;
const FIRST_PAGES = 4;
const MOST_LIVE = 5_000;
const SHORTEST_PAUSE = 1_000;
const LONGEST_PAUSE = 30_000;
/** Milliseconds between two corrections of the address: browsers refuse many. */
const ADDRESS = 1_000;
/** Milliseconds between two drawings of a stream's changes, of which each draws the whole list. */
const DRAWING = 250;

/** The home: what changed in a range of time, newest first. */
export class Changes {
  constructor(parameters, update) {
    this.update = update;
    this.stop = new AbortController();
    const get = (name) => parameters.get(name) ?? '';
    const classes = (get('class') || 'spec,metadata').split(',');
    this.query = {
      from: get('from') || '-15m', to: get('to') === 'now' ? '' : get('to'),
      namespace: get('namespace'), resource: get('resource'), name: get('name'),
      selector: get('selector'),
      class: CLASSES.filter((each) => classes.includes(each) || classes.includes('all')).join(','),
      group: get('group'),
    };
    this.chosen = Boolean(get('from') || get('to'));
    this.items = [];
    this.hidden = {};
    this.token = '';
    this.loaded = this.load(FIRST_PAGES);
    if (get('live')) this.follow();
  }

  close() {
    this.stop.abort();
    clearTimeout(this.correction);
    clearTimeout(this.drawing);
  }

  request({ from, to } = this.query) {
    const { namespace, resource, name, selector } = this.query;
    const parameters = new URLSearchParams({ from, class: this.query.class, limit: PAGE });
    for (const [parameter, value] of Object.entries({ to, namespace, resource, name, labelSelector: selector })) {
      if (value) parameters.set(parameter, value);
    }
    return parameters;
  }

  async load(pages) {
    this.loading = true;
    this.problem = undefined;
    this.update();
    try {
      for (let i = 0; i < pages && (this.token || !this.first); i++) {
        await this.page();
        this.update();
      }
    } catch (e) {
      if (e.name !== 'AbortError') this.problem = e;
    }
    this.loading = false;
    this.update();
  }

  async page() {
    const page = this.first ? await this.more()
      : await firstPage(this.query, this.chosen, (range) => api.changes(this.request(range), this.stop.signal));
    if (this.cut) return; // These are earlier than what was cut.
    this.items.push(...page.items);
    for (const [name, count] of Object.entries(page.hidden)) {
      this.hidden[name] = (this.hidden[name] ?? 0) + count;
    }
    this.token = page.metadata.continue ?? '';
    const known = this.first?.complete ?? true;
    if (!this.first) this.begin(page);
    // The floor may rise while pages are read.
    if (!page.complete) Object.assign(this.first, { complete: false, floor: page.floor });
    if (known && !page.complete) this.askWhy();
  }

  more() {
    const parameters = this.request();
    parameters.set('continue', this.token);
    return api.changes(parameters, this.stop.signal);
  }

  begin(page) {
    this.first = page;
    const { from, to } = page.instead ?? this.query;
    const range = absolute({ from, to }, page);
    remember({ from, to }, range);
    Object.assign(this.query, range);
    replace('changes', this.query);
    if (BigInt(page.from.resourceVersion) > BigInt(page.to.resourceVersion)) {
      throw new Error('from is later than to');
    }
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

  /** Turns the stream of new changes on or off; of a range that was typed but not shown, with another view. */
  toggleLive() {
    if (this.live) {
      this.live.abort();
      this.live = undefined;
      this.update();
      return;
    }
    this.enter((typed) => {
      const same = Object.entries(typed).every(([name, value]) => value === this.query[name]);
      if (same) this.follow();
      else go('changes', { ...typed, live: true });
    });
  }

  async follow() {
    const live = new AbortController();
    this.live = live;
    this.stop.signal.addEventListener('abort', () => live.abort());
    this.update();
    try {
      await this.loaded;
      live.signal.throwIfAborted(); // Another one may follow by now: only one may load.
      if (!this.first) await (this.loaded = this.load(1));
      if (this.first) {
        this.problem = undefined;
        this.through ??= this.first.to.resourceVersion;
        await this.streams(live.signal);
      }
    } catch (e) {
      if (e.name !== 'AbortError') this.problem = e;
    }
    if (this.live === live) this.live = undefined;
    this.update();
  }

  /** One stream after another: each ends at its timeout, with its node, or with a proxy's patience. */
  async streams(signal) {
    this.pause = SHORTEST_PAUSE;
    this.waiting = undefined;
    for (;;) {
      this.heard = false;
      try {
        await this.stream(signal);
        this.pause = SHORTEST_PAUSE;
        this.waiting = 'The stream has ended';
      } catch (e) {
        if ([403, 410].includes(e.status)) this.skip(e);
        else if (!isPassing(e.status)) throw e;
        this.pause = Math.min(2 * this.pause, LONGEST_PAUSE);
        this.waiting = `The stream has ended: ${e.message}`;
      }
      this.update();
      await api.wait(this.pause, signal);
    }
  }

  /** After a refusal: the next stream begins at what will change, unless this one was refused after some lines. */
  skip(refusal) {
    if (this.heard) return;
    if (this.through === undefined) throw refusal;
    this.gap = { after: this.through, refusal };
    this.through = undefined;
  }

  /** After all that is shown. A stream may end within a revision, which is read again. */
  async stream(signal) {
    const parameters = this.request();
    for (const name of ['from', 'to', 'limit']) parameters.delete(name);
    if (this.through !== undefined) parameters.set('from', this.through);
    parameters.set('watch', 'true');
    parameters.set('allowWatchBookmarks', 'true');
    await api.lines(`changes?${parameters}`, (line) => this.take(line), { signal, opened: () => this.opened() });
  }

  /** A node that has nothing to tell yet has answered all the same. */
  opened() {
    if (!this.waiting) return;
    this.waiting = undefined;
    this.update();
  }

  take(line) {
    this.heard = true;
    this.pause = SHORTEST_PAUSE;
    if (line.kind === 'Bookmark') this.through = line.resourceVersion;
    else this.add(line);
  }

  add(item) {
    if (this.has(item)) return;
    this.through = String(BigInt(item.resourceVersion) - 1n);
    this.items.unshift(item);
    if (this.items.length > MOST_LIVE) {
      this.items.length = MOST_LIVE;
      this.token = '';
      this.cut = this.items.at(-1);
    }
    this.query.to = item.time;
    this.correction ??= setTimeout(() => {
      this.correction = undefined;
      replace('changes', this.query);
    }, ADDRESS);
    this.drawing ??= setTimeout(() => {
      this.drawing = undefined;
      this.update();
    }, DRAWING);
  }

  /** Whether a change of the newest revision is shown. */
  has(item) {
    for (const each of this.items) {
      if (each.resourceVersion !== item.resourceVersion) return false;
      if (key(each.object) === key(item.object)) return true;
    }
    return false;
  }

  submit(event) {
    event.preventDefault();
    this.enter((typed) => go('changes', typed));
  }

  /** Another range with the filters that are typed. */
  pick(from, to = '') {
    this.enter((typed) => go('changes', typed), { from, to });
  }

  /** Does something with what the fields say, or shows what is wrong with it. */
  enter(action, range) {
    try {
      const form = new FormData(document.forms.filters);
      const text = (name) => form.get(name).trim();
      const classes = CLASSES.filter((name) => form.has(name));
      if (classes.length === 0) throw new Error('choose at least one class of changes');
      const { from, to } = range ?? {
        from: entered(text('from'), this.query.from), to: entered(text('to'), this.live ? '' : this.query.to),
      };
      action({
        from, to, namespace: text('namespace'), resource: text('resource'), name: text('name'),
        selector: text('selector'), class: classes.join(','), group: form.has('group') ? 'owner' : '',
      });
    } catch (e) {
      this.problem = e;
      this.update();
    }
  }

  render() {
    return html`
      <h1>What changed</h1>
      <section class="panel" aria-label="Range and filters">${this.form()}</section>
      ${this.problem ? html`<p class="panel problem" role="alert">${this.problem.message}</p>` : nothing}
      ${this.waiting && this.live
        ? html`<p class="panel notice" role="status">${this.waiting}. It begins again in some seconds.</p>` : nothing}
      ${this.gap ? this.missing() : nothing}
      ${this.notice()}
      ${this.graph()}
      ${this.feed()}
      ${this.token && !this.loading
        ? html`<button @click=${() => this.load(FIRST_PAGES)}>Load earlier changes</button>` : nothing}
      ${this.cut ? html`<p class="panel notice">Only the newest ${MOST_LIVE} changes are kept here.
        <a href=${link('changes', { ...this.query, to: this.cut.time })}>Earlier changes</a></p>` : nothing}`;
  }

  form() {
    const { from, to, namespace, resource, name, selector, group } = this.query;
    const classes = this.query.class.split(',');
    return html`
      <form class="filters" name="filters" @submit=${(e) => this.submit(e)}>
        <label>from <input name="from" .value=${shown(from)} size="19" autocomplete="off"></label>
        <label>to <input name="to" .value=${shown(this.live ? '' : to)} size="19" autocomplete="off"></label>
        <label>namespace <input name="namespace" .value=${namespace} size="14" placeholder="all"></label>
        <label>resource <input name="resource" .value=${resource} size="20" placeholder="all, or pods,deployments.apps" list="resources"></label>
        <label>name <input name="name" .value=${name} size="14" placeholder="all, of one resource"></label>
        <label>labels <input name="selector" .value=${selector} size="14" placeholder="app=web"></label>
        ${CLASSES.map((each) => html`
          <label class="check"><input type="checkbox" name=${each} .checked=${classes.includes(each)}>
            ${each}${this.hidden[each] ? html` <span class="soft">(${this.hidden[each]} hidden)</span>` : nothing}</label>`)}
        <label class="check"><input type="checkbox" name="group" .checked=${group === 'owner'}> by owner</label>
        <button class="main">Show</button>
        <span class="row">${RANGES.map(([text, ago]) => html`
          <button type="button" @click=${() => this.pick(ago)}>${text}</button>`)}
          <button type="button" aria-pressed=${this.live ? 'true' : 'false'} class=${this.live ? 'live' : ''}
              @click=${() => this.toggleLive()}>Live</button></span>
      </form>`;
  }

  notice() {
    if (!this.first) return nothing;
    return html`${unasked(this.first)}${shortened(this.first, this.query.from)}${this.first.complete ? nothing : this.beginning()}`;
  }

  /** Where the stream went on later than it had ended: users without the right to the history read the last minutes. */
  missing() {
    const { after, refusal } = this.gap;
    const from = refusal.status === 403 ? RECENT : this.query.from;
    return html`<p class="panel notice" role="status">A gap: changes after revision ${after} are missing here, since
      the node refused to go on there: ${refusal.message}.
      <a href=${link('changes', { ...this.query, from, to: '', live: true })}>Load what can be read</a></p>`;
  }

  beginning() {
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
    const more = this.token || this.cut;
    return html`
      <section class="panel" aria-label="Changes over time">
        ${chart({
          items: this.items,
          from: iso(this.query.from, this.first.from.time), to: iso(this.query.to, this.first.to.time),
          known: more ? oldest : this.first.complete ? '1970-01-01T00:00:00Z' : this.first.floor.time,
          pick: (from, to) => this.pick(from, to),
        })}
        <div class="legend">${CLASSES.map((name) => html`<span><i class=${name}></i>${name}</span>`)}
          <span class="grow"></span><span>${this.items.length} changes${more ? ', more are not loaded' : ''}</span></div>
      </section>`;
  }

  feed() {
    if (!this.first) return this.loading ? html`<p class="soft" role="status">Loading…</p>` : nothing;
    if (this.items.length === 0) {
      return html`<p class="panel">${this.loading || this.token
        ? 'None found so far: the range has not been read to its begin.'
        : 'Nothing of these classes changed in this range.'}</p>`;
    }
    if (this.query.group !== 'owner') {
      return list(this.items);
    }
    const groups = new Map();
    for (const item of this.items) {
      const owner = item.root ?? item.object;
      const name = key(owner);
      if (!groups.has(name)) groups.set(name, { owner, items: [] });
      groups.get(name).items.push(item);
    }
    return html`${repeat(groups, ([name]) => name, ([, { owner, items }]) => html`
      <h2 class="row">
        ${owner.resource ? html`<a href=${objectLink(owner)}>${title(owner)}</a>` : title(owner)}
        <span class="soft">${items.length} changes</span></h2>
      ${list(items)}`)}`;
  }
}

/** Each change keeps its elements, and with them the focus, while later ones come. */
function list(items) {
  return html`<ol class="feed">${repeat(items, (item) => item, (item) => html`<li>${change(item)}</li>`)}</ol>`;
}

/** Whether a request may soon get another answer. */
function isPassing(status) {
  return status === 0 || status === 429 || status >= 500;
}
