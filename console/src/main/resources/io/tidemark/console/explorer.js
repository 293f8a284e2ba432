import { html, nothing } from './lit-html.js';
import * as api from './api.js';
import { go, link, replace } from './route.js';
import { Rows } from './rows.js';
import { moment, shown, span } from './time.js';

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
      resource: get('resource') || 'pods', namespace: get('namespace'), selector: get('selector'), at: get('at'),
    };
    replace('explorer', this.query);
    this.items = [];
    this.columns = [];
    this.load();
  }

  close() {
    this.stop.abort();
  }

  async load() {
    const signal = this.stop.signal;
    const { resource, namespace, selector, at } = this.query;
    this.loading = true;
    try {
      api.json('changes?limit=1&class=all', { signal }).then((page) => {
        this.floor = page.floor;
        this.update();
      }, () => {});
      const found = (await api.resources(at)).get(resource);
      if (!found) throw new Error(`there is no resource ${resource} at that time`);
      this.resource = found;
      let token = '';
      do {
        const parameters = new URLSearchParams({ limit: PAGE });
        if (selector) parameters.set('labelSelector', selector);
        if (token) parameters.set('continue', token);
        const page = await api.json(`${api.path(found, namespace, '', at)}?${parameters}`, { accept: TABLE, signal });
        if (page.columnDefinitions?.length) {
          this.columns = page.columnDefinitions
            .map((column, index) => ({ ...column, index })).filter((column) => column.priority === 0);
        }
        this.items.push(...(page.rows ?? []));
        this.revision = page.metadata.resourceVersion;
        token = page.metadata.continue ?? '';
        this.update();
      } while (token && this.items.length < MOST);
      this.more = token !== '';
    } catch (e) {
      if (e.name !== 'AbortError') this.problem = e;
    }
    this.loading = false;
    this.update();
  }

  submit(event) {
    event.preventDefault();
    const form = new FormData(event.target);
    const at = form.get('at').trim();
    go('explorer', {
      resource: form.get('resource'), namespace: form.get('namespace'), selector: form.get('selector'),
      at: at === '' || at === 'now' ? '' : moment(at),
    });
  }

  slide(event) {
    const back = Number(event.target.value);
    const at = back === 0 ? '' : new Date(Date.now() + back * 1000).toISOString();
    go('explorer', { ...this.query, at });
  }

  render() {
    const { resource, namespace, selector, at } = this.query;
    const oldest = this.floor ? Math.floor((Date.parse(this.floor.time) - Date.now()) / 1000) : -3600;
    const back = at && !/^\d+$/.test(at) ? Math.round((Date.parse(at) - Date.now()) / 1000) : 0;
    return html`
      <h1>Objects</h1>
      <section class="panel" aria-label="Filters">
        <form class="filters" @submit=${(e) => this.submit(e)}>
          <label>resource <input name="resource" .value=${resource} size="24" list="resources"></label>
          <label>namespace <input name="namespace" .value=${namespace} size="14" placeholder="all"></label>
          <label>labels <input name="selector" .value=${selector} size="16" placeholder="app=web"></label>
          <label>as of <input name="at" .value=${at ? shown(at) : 'now'} size="19"></label>
          <button class="main">Show</button>
          <label class="grow">${at ? `${span(-back * 1000)} ago` : 'now'}
            <input type="range" min=${oldest} max="0" step="1" .value=${String(back)} @change=${(e) => this.slide(e)}
              aria-valuetext=${at ? `${span(-back * 1000)} ago` : 'now'}></label>
        </form>
      </section>
      ${this.problem ? html`<p class="panel problem" role="alert">${this.problem.message}</p>` : nothing}
      <p class="row soft" role="status">
        ${this.loading ? 'Loading…' : ''} ${this.items.length} objects${this.more ? ', more are not loaded' : ''}${this.revision ? `, revision ${this.revision}` : ''}
        <a href=${link('changes', { resource, namespace, selector })}>what changed of them</a>
        <a href=${link('compare', { resource, namespace, selector, from: at || undefined })}>compare two times</a>
      </p>
      ${this.columns.length ? this.table() : nothing}`;
  }

  table() {
    const everywhere = this.resource?.namespaced && !this.query.namespace;
    const names = this.columns.map((column) => column.name);
    if (everywhere) names.unshift('Namespace');
    return this.rows.render(names, this.items, (row, column) => {
      const metadata = row.object?.metadata ?? {};
      if (everywhere && column === 0) return metadata.namespace ?? '';
      const index = everywhere ? column - 1 : column;
      const text = row.cells[this.columns[index].index];
      if (index > 0) return text === null || text === undefined ? '' : String(text);
      return html`<a href=${link('object', {
        resource: this.query.resource, namespace: metadata.namespace ?? '', name: metadata.name, at: this.query.at,
      })}>${text}</a>`;
    });
  }

  rendered(root) {
    this.rows.place(root);
  }
}
