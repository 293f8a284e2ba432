// The node's HTTP interface. Addresses are relative, so that a proxy may put a path in front.

const BASE = new URL('../', document.baseURI);

/** Milliseconds for which a busy node is asked again before its error is shown. */
const LONGEST_WAIT = 30_000;

let token = '';

/** A bearer token for all requests; it is kept in this page's memory only. */
export function useToken(text) {
  token = text.trim();
}

export class ApiError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** One request, repeated while the node asks for it, as it does during a rebalance. */
async function ask(path, accept, signal) {
  const patience = Date.now() + LONGEST_WAIT;
  for (;;) {
    const answer = await send(path, accept, signal);
    if (answer.ok) return answer;
    const pause = Number.parseInt(answer.headers.get('Retry-After'), 10) * 1000;
    const later = [429, 503].includes(answer.status) && Date.now() + pause < patience;
    if (!later) throw await problem(answer);
    await answer.body?.cancel();
    await wait(pause, signal);
  }
}

async function send(path, accept, signal) {
  const headers = { Accept: accept };
  if (token) headers.Authorization = `Bearer ${token}`;
  try {
    return await fetch(new URL(path, BASE), { headers, signal, cache: 'no-store' });
  } catch (e) {
    if (e.name === 'AbortError') throw e;
    throw new ApiError(0, 'the node does not answer');
  }
}

async function problem(answer) {
  const text = await answer.text();
  let message = text.slice(0, 300);
  try {
    message = JSON.parse(text).message ?? message;
  } catch {
    // Plain text.
  }
  if (answer.status === 401) dispatchEvent(new CustomEvent('login-needed'));
  return new ApiError(answer.status, message || `status ${answer.status}`);
}

/** Resolves after some milliseconds, or rejects as `fetch` does when the signal aborts it. */
function wait(millis, signal) {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(resolve, millis);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

export async function json(path, { accept = 'application/json', signal } = {}) {
  return (await ask(path, accept, signal)).json();
}

export async function text(path, { accept = 'text/plain', signal } = {}) {
  return (await ask(path, accept, signal)).text();
}

/** Calls `take` for each line of a stream, until it ends or is aborted. */
export async function lines(path, take, signal) {
  const answer = await ask(path, 'application/x-ndjson', signal);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const parts = (rest + value).split('\n');
    rest = parts.pop();
    for (const part of parts) if (part) take(JSON.parse(part));
  }
}

const DISCOVERY = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
const known = new Map();

/** All resources of a time, by their names such as pods or deployments.apps. */
export async function resources(at = '') {
  const base = at ? `at/${encodeURIComponent(at)}/` : '';
  if (!known.has(base)) {
    const found = new Map();
    for (const root of ['api', 'apis']) {
      const groups = await json(base + root, { accept: DISCOVERY });
      for (const group of groups.items ?? []) {
        const name = group.metadata?.name ?? '';
        for (const version of group.versions ?? []) {
          for (const each of version.resources ?? []) {
            if (!each.verbs?.includes('list')) continue;
            const qualified = name ? `${each.resource}.${name}` : each.resource;
            if (found.has(qualified)) continue;
            const prefix = name ? `apis/${name}/${version.version}` : `api/${version.version}`;
            found.set(qualified, {
              name: qualified, prefix, plural: each.resource,
              kind: each.responseKind?.kind ?? '', namespaced: each.scope === 'Namespaced',
            });
          }
        }
      }
    }
    if (known.size > 8) known.clear();
    known.set(base, found);
  }
  return known.get(base);
}

/** The path of objects of a resource, or of one, at a moment. */
export function path(resource, namespace, name, at = '') {
  const base = at ? `at/${encodeURIComponent(at)}/` : '';
  const inNamespace = resource.namespaced && namespace ? `namespaces/${encodeURIComponent(namespace)}/` : '';
  return `${base}${resource.prefix}/${inNamespace}${resource.plural}${name ? '/' + encodeURIComponent(name) : ''}`;
}
