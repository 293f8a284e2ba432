import * as api from './api.js';

const MANAGERS = /^  managedFields:\n(?:  (?:-| ).*\n)*/m;

/** An object as YAML, without who set what: that is shown apart, and longer than the object. Empty if there was none. */
export async function asOf(resource, namespace, name, at, signal) {
  const read = (found) => api.text(api.path(found, namespace, name, at), { accept: 'application/yaml', signal });
  try {
    const text = await api.withResource(resource, at, read);
    return text.replace(MANAGERS, '');
  } catch (e) {
    if (e.status === 404) return '';
    throw e;
  }
}
