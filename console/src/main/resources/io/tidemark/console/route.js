// The address of a view: #VIEW?parameters, all of it, so that a link is the view.

/** The address of the view that is open. */
let opened = '';

export function current() {
  opened = location.hash;
  const hash = location.hash.slice(1);
  const cut = hash.indexOf('?');
  const view = cut < 0 ? hash : hash.slice(0, cut);
  return { view: view || 'changes', parameters: new URLSearchParams(cut < 0 ? '' : hash.slice(cut + 1)) };
}

export function link(view, parameters) {
  const kept = Object.entries(parameters).filter(([, value]) => value !== '' && value !== undefined);
  const query = new URLSearchParams(kept).toString();
  return `#${view}${query ? '?' + query : ''}`;
}

/** Goes to a view, or loads it again; the browser's history keeps the one before. */
export function go(view, parameters) {
  const hash = link(view, parameters);
  if (hash === location.hash) dispatchEvent(new HashChangeEvent('hashchange'));
  else location.hash = hash;
}

/** Corrects the address of the view that is open, unless the browser is on its way to another one. */
export function replace(view, parameters) {
  if (location.hash !== opened) return;
  history.replaceState(null, '', link(view, parameters));
  opened = location.hash;
}

export function objectLink(object, at = '') {
  return link('object', {
    resource: object.resource, namespace: object.namespace, name: object.name, at,
  });
}
