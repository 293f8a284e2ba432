// The node's HTTP interface. Addresses are relative, so that a proxy may put a path in front.

const BASE = new URL('../', document.baseURI);

/** Milliseconds for which a busy node is asked again before its error is shown. */
const LONGEST_WAIT = 30_000;

let token = '';

/** A bearer token for all requests; it is kept in this page's memory only. */
export function useToken(text) {
  const typed = text.trim();
  // With others `fetch` fails, or the node cannot parse the header.
  if (!/^[!-~]*$/.test(typed)) throw new Error('A token has only printable ASCII characters, and no spaces: copy all of it.');
  token = typed;
}

export class ApiError extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

/** One request, repeated while the node asks for it, as it does during a rebalance; each answer has `timeout` ms. */
async function ask(path, accept, signal, timeout) {
  const patience = Date.now() + LONGEST_WAIT;
  let late = 1; // A node that is late twice may be cut off from etcd: see `mirrored`.
  for (;;) {
    const answer = await send(path, accept, timeout ? AbortSignal.any([signal, AbortSignal.timeout(timeout)]) : signal);
    if (answer.ok) return answer;
    const pause = Number.parseInt(answer.headers.get('Retry-After'), 10) * 1000;
    const again = [429, 503].includes(answer.status) || (answer.status === 504 && late-- > 0);
    const later = again && Date.now() + pause < patience;
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
    throw broken(e);
  }
}

/** A request that got no answer, or not all of it, may be sent again. */
function broken(e) {
  return e.name === 'AbortError' ? e : new ApiError(0, 'the node does not answer');
}

async function bodyOf(answer) {
  try {
    return await answer.text();
  } catch (e) {
    throw broken(e);
  }
}

async function problem(answer) {
  const body = await bodyOf(answer);
  let message = body.slice(0, 300);
  try {
    message = JSON.parse(body).message ?? message;
  } catch {
    // Plain text.
  }
  return refusal(answer.status, message || `status ${answer.status}`);
}

function refusal(status, message) {
  if (status === 401) dispatchEvent(new CustomEvent('login-needed'));
  return new ApiError(status, message);
}

/** Resolves after some milliseconds, or rejects as `fetch` does when the signal aborts it. */
export function wait(millis, signal) {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, millis);
    signal?.addEventListener('abort', stop);
  });
}

/**
 * A document. By the node's clock, its member `asOf` is the time of the state that it shows, and `answered` the time of
 * the answer.
 */
export async function json(path, { accept = 'application/json', signal, timeout } = {}) {
  const answer = await ask(path, accept, signal, timeout);
  const { headers } = answer;
  return Object.assign(JSON.parse(await bodyOf(answer)), { asOf: headers.get('X-Tidemark-As-Of'), answered: headers.get('Date') });
}

export async function text(path, { accept = 'text/plain', signal } = {}) {
  return bodyOf(await ask(path, accept, signal));
}

/**
 * A page of changes. While etcd cannot be asked, it ends with what the mirror has: `through` is that revision. A time
 * that the mirror has passed is an error then: the page would have later changes.
 */
export async function changes(parameters, signal) {
  const read = (query) => json(`changes?${query}`, { signal });
  try {
    return await read(parameters);
  } catch (e) {
    const to = parameters.get('to') ?? '';
    if (parameters.has('continue') || /^\d+$/.test(to)) throw e;
    const through = await mirrored(e, signal);
    const known = new URLSearchParams(parameters);
    known.set('to', through);
    const page = await read(known);
    const relative = to === '' || to.startsWith('-');
    if (!relative && !(Date.parse(page.asOf) <= Date.parse(to))) throw e;
    return { ...page, through };
  }
}

/** The newest revision of the mirror, if an error may say that etcd cannot be asked; else that error. */
export async function mirrored(error, signal) {
  if (error.status !== 504) throw error;
  const { watermark } = await json('cluster', { signal }).catch(() => ({}));
  if (!watermark) throw error;
  return String(watermark);
}

/**
 * Calls `opened` when a stream begins and `take` for each line of it, until it ends or is aborted. Its last line may be
 * an error.
 */
export async function lines(path, take, { signal, opened }) {
  const answer = await ask(path, 'application/x-ndjson', signal);
  opened();
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read().catch((e) => {
      throw broken(e);
    });
    if (done) return;
    const parts = (rest + value).split('\n');
    rest = parts.pop();
    for (const part of parts) {
      if (!part) continue;
      const line = JSON.parse(part);
      if (line.kind === 'Status') throw refusal(line.code, line.message);
      take(line);
    }
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
    if (at.startsWith('-')) return found; // It is of another time when it is asked for again.
    if (known.size > 8) known.clear();
    known.set(base, found);
  }
  return known.get(base);
}

/** A resource by its name. At the present it may be newer than what is known. */
export async function resource(name, at = '') {
  let found = (await resources(at)).get(name);
  if (!found && !at) {
    known.delete('');
    found = (await resources()).get(name);
  }
  if (!found) throw new Error(`there is no resource ${name} at that time`);
  return found;
}

/**
 * What `read` makes of a resource at a time. At the present, its version or scope may be newer than what is known: after a
 * 404, `read` gets that one.
 */
export async function withResource(name, at, read) {
  const found = await resource(name, at);
  try {
    return await read(found);
  } catch (e) {
    if (e.status !== 404 || at) throw e;
    known.delete('');
    const newer = await resource(name).catch(() => found); // Its definition may be deleted.
    if (newer.prefix === found.prefix && newer.namespaced === found.namespaced) throw e;
    return read(newer);
  }
}

/** The path of objects of a resource, or of one, at a moment. */
export function path(resource, namespace, name, at = '') {
  const base = at ? `at/${encodeURIComponent(at)}/` : '';
  const inNamespace = resource.namespaced && namespace ? `namespaces/${encodeURIComponent(namespace)}/` : '';
  return `${base}${resource.prefix}/${inNamespace}${resource.plural}${name ? '/' + encodeURIComponent(name) : ''}`;
}
