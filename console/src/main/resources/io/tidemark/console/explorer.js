import { html, nothing } from './lit-html.js';
import * as api from './api.js';
import { go, link, replace } from './route.js';
import { Rows } from './rows.js';
import { unasked } from './item.js';
import { entered, moment, shown, span } from './time.js';

const TABLE = 'application/json;as=Table;g=meta.k8s.io;v=v1';
const PAGE = 500;
const MOST = 20_000;

/** Objects of any kind, now or at any time of the history, in the columns that kubectl shows. */
export class Explorer {
  constructor(parameters, update) {
    this.update = update;
    this.stop = new AbortController();
    this.rows = new Rows(update);
    const get = (name) => parameters.get(name) ?? '';
    this.query = {
      resource: get('resource') || 'pods', namespace: get('namespace'), selector: get('selector'),
      at: get('at') === 'now' ? '' : get('at'),
    };
    replace('explorer', this.query);
    this.items = [];
    this.columns = [];
    this.token = '';
    this.load();
  }

  close() {
    this.stop.abort();
  }

  async load() {
    const signal = this.stop.signal;
    this.loading = true;
    api.changes(new URLSearchParams({ limit: 1, class: 'all' }), signal).then((page) => {
      this.floor = page.floor;
      this.answered = page.answered;
      this.update();
    }, () => {});
    const read = (at) => api.withResource(this.query.resource, at, (found) => this.read(found, at, signal));
    try {
      await read(this.query.at).catch(async (e) => {
        if (this.query.at || this.revision) throw e;
        this.through = await api.mirrored(e, signal);
        await read(this.through);
      });
    } catch (e) {
      if (e.name !== 'AbortError') this.problem = e;
    }
    this.loading = false;
    this.update();
  }

  async read(resource, at, signal) {
    const { namespace, selector } = this.query;
    this.resource = resource;
    const parameters = new URLSearchParams({ limit: PAGE });
    if (selector) parameters.set('labelSelector', selector);
    do {
      if (this.token) parameters.set('continue', this.token);
      const path = api.path(resource, namespace, '', at);
      const page = await api.json(`${path}?${parameters}`, { accept: TABLE, signal });
      this.answered = page.answered;
      if (!this.revision && at.startsWith('-')) {
        at = page.asOf;
        this.query.at = at;
        replace('explorer', this.query);
      }
      if (page.columnDefinitions?.length) {
        this.columns = page.columnDefinitions
          .map((column, index) => ({ ...column, index })).filter((column) => column.priority === 0);
      }
      this.items.push(...(page.rows ?? []).map(kept));
      this.revision = page.metadata.resourceVersion;
      this.token = page.metadata.continue ?? '';
      this.update();
    } while (this.token && this.items.length < MOST);
  }

  submit(event) {
    event.preventDefault();
    const form = new FormData(event.target);
    const text = (name) => form.get(name).trim();
    try {
      go('explorer', {
        resource: text('resource'), namespace: text('namespace'), selector: text('selector'),
        at: entered(text('at'), this.query.at),
      });
    } catch (e) {
      this.problem = e;
      this.update();
    }
  }

  /** The time is relative until the node has answered: its clock counts. */
  slide(event) {
    const back = Number(event.target.value);
    go('explorer', { ...this.query, at: back === 0 ? '' : `${back}s` });
  }

  render() {
    const { resource, namespace, selector, at } = this.query;
    const now = Date.parse(this.answered) || Date.now(); // The node's clock counts.
    const oldest = this.floor ? Math.floor((Date.parse(this.floor.time) - now) / 1000) : -3600;
    const revision = /^\d+$/.test(at);
    const back = revision ? 0 : Math.round((Date.parse(moment(at, now)) - now) / 1000) || 0;
    const when = at === '' ? 'now' : revision ? `revision ${at}` : `${span(-back * 1000)} ago`;
    return html`
      <h1>Objects</h1>
      <section class="panel" aria-label="Filters">
        <form class="filters" @submit=${(e) => this.submit(e)}>
          <label>resource <input name="resource" .value=${resource} size="24" list="resources"></label>
          <label>namespace <input name="namespace" .value=${namespace} size="14" placeholder="all"></label>
          <label>labels <input name="selector" .value=${selector} size="16" placeholder="app=web"></label>
          <label>as of <input name="at" .value=${shown(at)} size="19"></label>
          <button class="main">Show</button>
          <label class="grow">${when}
            <input type="range" min=${Math.min(oldest, back)} max="0" step="1" .value=${String(back)}
              aria-valuetext=${when} @change=${(e) => this.slide(e)}></label>
        </form>
      </section>
      ${this.problem ? html`<p class="panel problem" role="alert">${this.problem.message}</p>` : nothing}
      ${unasked(this)}
      <p class="row soft" role="status">
        ${this.loading ? 'Loading…' : ''} ${this.items.length} objects${this.token ? ', more are not loaded' : ''}${this.revision ? `, revision ${this.revision}` : ''}
        <a href=${link('changes', { resource, namespace, selector, from: before(at), to: at })}>what changed of them</a>
        <a href=${link('compare', { resource, namespace, selector, from: at || undefined })}>compare two times</a>
      </p>
      ${this.columns.length ? this.table() : nothing}`;
  }

  table() {
    const everywhere = this.resource?.namespaced && !this.query.namespace;
    const names = this.columns.map((column) => column.name);
    if (everywhere) names.unshift('Namespace');
    return this.rows.render(names, this.items, (row, column) => {
      if (everywhere && column === 0) return row.namespace;
      const index = everywhere ? column - 1 : column;
      const text = row.cells[this.columns[index].index];
      if (index > 0) return text === null || text === undefined ? '' : String(text);
      return html`<a href=${link('object', {
        resource: this.query.resource, namespace: row.namespace, name: row.name, at: this.query.at,
      })}>${text}</a>`;
    });
  }

  rendered(root) {
    this.rows.place(root);
  }
}

/** Of thousands of rows, only what is shown: their metadata are larger. */
function kept({ cells, object }) {
  return { cells, name: object?.metadata?.name, namespace: object?.metadata?.namespace ?? '' };
}

/** Where changes that lead to a state begin: a quarter of an hour before it, or with the history if it is a revision. */
function before(at) {
  if (at === '') return '';
  const time = Date.parse(moment(at));
  return /^\d+$/.test(at) || isNaN(time) ? '1' : moment('-15m', time);
}
