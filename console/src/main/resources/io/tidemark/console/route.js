// The address of a view: #VIEW?parameters, all of it, so that a link is the view.

export function current() {
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

/** Goes to a view; the browser's history keeps the one before. */
export function go(view, parameters) {
  location.hash = link(view, parameters);
}

/** Corrects the address of the view that is shown. */
export function replace(view, parameters) {
  history.replaceState(null, '', link(view, parameters));
}

export function objectLink(object, at = '') {
  return link('object', {
    resource: object.resource, namespace: object.namespace, name: object.name, at,
  });
}
