import { html, nothing } from './lit-html.js';
import * as api from './api.js';
import { span } from './time.js';

/** Milliseconds from the end of one request to the next. */
const PAUSE = 5_000;
/** Milliseconds for an answer. */
const TIMEOUT = 20_000;

/** The state of the mirror: nodes, partitions, connector, and where the history begins. */
export class Mirror {
  constructor(_, update) {
    this.update = update;
    this.stop = new AbortController();
    this.load();
  }

  close() {
    clearTimeout(this.timer);
    this.stop.abort();
  }

  /** One request after another. A login opens the view again. */
  async load() {
    const stop = this.stop.signal;
    try {
      this.status = await api.json('cluster', { signal: stop, timeout: TIMEOUT });
      this.problem = undefined;
    } catch (e) {
      if (stop.aborted) return;
      this.problem = e;
    }
    if (this.problem?.status !== 401) this.timer = setTimeout(() => this.load(), PAUSE);
    this.update();
  }

  render() {
    const { status } = this;
    return html`
      <h1>The mirror</h1>
      ${this.problem ? html`<p class="panel problem" role="alert">${this.problem.message}</p>` : nothing}
      ${status ? html`${this.summary(status)}${this.nodes(status)}${this.partitions(status)}` : nothing}`;
  }

  summary(status) {
    const connector = status.connector ?? {};
    const gaps = connector.gaps ?? {};
    return html`
      <section class="panel" aria-label="Connector and history"><div class="scroll" tabindex="0"><table><tbody>
        <tr><th scope="row">epoch</th><td>${status.epoch}${status.epoch > 1
          ? ': the history began again, since etcd was restored, replaced or lost changes' : ''}</td></tr>
        <tr><th scope="row">history</th><td>from revision ${status.floor} to ${status.watermark}</td></tr>
        <tr><th scope="row">connector</th><td>${connector.url ?? 'unknown'}: ${connector.phase ?? ''}
          at revision ${connector.revision ?? '?'}; etcd is at ${connector.etcdRevision ?? '?'}</td></tr>
        <tr><th scope="row">gaps</th><td>${gaps.count ? html`${gaps.count}; the last one lost the changes from
          ${gaps.lastFrom} to ${gaps.lastFloor}` : gaps.count === 0 ? 'none since the connector started' : 'unknown'}</td></tr>
        <tr><th scope="row">dead letters</th><td>${connector.deadLetters ?? '?'}; unreadable keys: ${connector.unreadableKeys ?? '?'}</td></tr>
        ${connector.lastError ? html`<tr><th scope="row">last error</th><td class="bad">${connector.lastError}</td></tr>` : nothing}
      </tbody></table></div></section>`;
  }

  nodes(status) {
    return html`
      <h2>Nodes</h2>
      <section class="panel scroll" aria-label="Nodes" tabindex="0"><table>
        <thead><tr><th>node</th><th>phase</th><th>watches</th><th>replicas</th><th>on disk</th></tr></thead>
        <tbody>${(status.nodes ?? []).map((node) => html`
          <tr><td>${node.node}</td>
            <td class=${node.reachable === false ? 'bad' : 'good'}>${node.reachable === false ? unreachable(node) : node.phase}</td>
            <td>${node.watches ?? ''}</td><td>${node.copies?.length ?? ''}</td><td>${bytes(node.bytes)}</td></tr>`)}
        </tbody></table></section>`;
  }

  partitions(status) {
    const nodes = status.nodes ?? [];
    const now = Date.parse(status.answered) || Date.now();
    return html`
      <h2>Partitions</h2>
      <section class="panel scroll" aria-label="Partitions" tabindex="0"><table>
        <thead><tr><th>partition</th><th>watermark</th><th>lag</th><th>floor</th>
          ${nodes.map((node) => html`<th>${node.node}</th>`)}</tr></thead>
        <tbody>${(status.partitions ?? []).map((partition) => html`
          <tr><td>${partition.partition}</td><td>${partition.watermark}</td>
            <td class=${partition.readable ? '' : 'bad'}>${partition.readable ? `${partition.lagRevisions} revisions, ${span(partition.lagMillis)}` : 'not readable'}</td>
            <td>${partition.floor}</td>
            ${nodes.map((node) => html`<td>${replica(node, partition.partition, now)}</td>`)}</tr>`)}
        </tbody></table></section>`;
  }
}

function unreachable({ reason }) {
  return reason ? `not reachable: ${reason}` : 'not reachable';
}

function replica(node, partition, now) {
  const found = (node.copies ?? []).find((copy) => copy.partition === partition);
  if (!found) return '';
  const role = found.active ? 'active' : 'standby';
  const proven = found.provenAtMillis ? `, proven ${span(now - found.provenAtMillis)} ago` : '';
  return found.ready ? `${role}${proven}` : `${role}, ${found.restored} of ${found.total} read`;
}

function bytes(count) {
  if (!count) return '';
  return count > 1e9 ? `${(count / 1e9).toFixed(1)} GB` : `${(count / 1e6).toFixed(1)} MB`;
}
