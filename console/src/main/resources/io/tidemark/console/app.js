import { keyed } from './directives/keyed.js';
import { html, nothing, render } from './lit-html.js';
import * as api from './api.js';
import { Changes } from './changes.js';
import { Compare } from './compare.js';
import { Explorer } from './explorer.js';
import { Mirror } from './mirror.js';
import { ObjectView } from './object.js';
import { current, link } from './route.js';

const VIEWS = {
  changes: { title: 'Changes', make: Changes },
  explorer: { title: 'Objects', make: Explorer },
  compare: { title: 'Compare', make: Compare },
  mirror: { title: 'Mirror', make: Mirror },
  object: { title: 'Object', make: ObjectView, hidden: true },
};
const HELP = [
  ['/', 'to the first filter'], ['j, k', 'next, previous change'], ['Enter', 'open or close it'],
  ['1 to 4', 'changes, objects, compare, mirror'], ['t', 'light or dark'], ['?', 'this help'],
];

let view;
let name = '';
let resources = [];
let login = false;
let refused = '';
let frame = 0;
let drawn = '';

function open() {
  const route = current();
  name = Object.hasOwn(VIEWS, route.view) ? route.view : 'changes';
  view?.close();
  view = new VIEWS[name].make(route.parameters, update);
  document.title = `${VIEWS[name].title} · Tidemark`;
  update();
}

/** Draws once for all changes before the next frame. */
function update() {
  if (frame) return;
  frame = requestAnimationFrame(() => {
    frame = 0;
    draw();
  });
}

/** The focus stays in the form, at the control with its place, if a view follows one of its kind. */
function draw() {
  const controls = () => [...document.querySelectorAll('main form.filters :is(input, button)')];
  const focused = drawn === name ? controls().indexOf(document.activeElement) : -1;
  drawn = name;
  render(page(), document.body);
  if (document.activeElement === document.body) controls()[focused]?.focus();
  view?.rendered?.(document.body);
}

function page() {
  return html`
    <header class="bar">
      <a class="brand" href="#changes"><img src="icon.svg" alt=""> Tidemark</a>
      <nav aria-label="Views">${Object.entries(VIEWS).filter(([, each]) => !each.hidden).map(([id, each]) => html`
        <a href=${link(id, {})} aria-current=${id === name ? 'page' : nothing}>${each.title}</a>`)}</nav>
      <span class="grow"></span>
      <button @click=${() => setLogin(true)}>Token</button>
      <button @click=${theme} aria-label="Light or dark">◐</button>
      <button @click=${help} aria-label="Keys">?</button>
    </header>
    <main>${login ? tokenForm() : nothing}${content()}</main>
    <datalist id="resources">${resources.map((each) => html`<option value=${each}></option>`)}</datalist>
    <dialog id="help" aria-label="Keys"><h2>Keys</h2>
      <table><tbody>${HELP.map(([keys, what]) => html`<tr><td><kbd>${keys}</kbd></td><td>${what}</td></tr>`)}</tbody></table>
      <form method="dialog"><button>Close</button></form></dialog>`;
}

/**
 * Each view has new elements: what was typed into another one of its kind, or how far that was scrolled, is not of this
 * one. An error of a view leaves the rest of the page in use.
 */
function content() {
  try {
    return keyed(view, view?.render());
  } catch (e) {
    console.error(e);
    return html`<p class="panel problem" role="alert">This view cannot be shown: ${e.message}</p>`;
  }
}

function tokenForm() {
  return html`
    <form class="panel notice filters" @submit=${useToken}>
      <label>This node asks who you are. A bearer token, kept in this page's memory only
        <input name="token" type="password" size="40" autocomplete="off" required></label>
      <button class="main">Use it</button>
      <button type="button" @click=${() => setLogin(false)}>Cancel</button>
      ${refused ? html`<p class="bad" role="alert">${refused}</p>` : nothing}
    </form>`;
}

function useToken(event) {
  event.preventDefault();
  try {
    api.useToken(new FormData(event.target).get('token'));
  } catch (e) {
    refused = e.message;
    update();
    return;
  }
  setLogin(false);
  loadResources();
  open();
}

function setLogin(wanted) {
  login = wanted;
  refused = '';
  update();
}

function theme() {
  const root = document.documentElement;
  const dark = root.dataset.theme
    ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = dark ? 'light' : 'dark';
}

function help() {
  document.getElementById('help').showModal();
}

function loadResources() {
  api.resources().then((found) => {
    resources = [...found.keys()].sort();
    update();
  }, () => {});
}

function step(by) {
  const all = [...document.querySelectorAll('ol.feed summary')];
  const next = all[Math.max(0, Math.min(all.length - 1, all.indexOf(document.activeElement) + by))];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
  const actions = {
    '/': () => document.querySelector('main form input')?.focus(),
    j: () => step(1), k: () => step(-1), t: theme, '?': help,
    1: () => { location.hash = '#changes'; },
    2: () => { location.hash = '#explorer'; },
    3: () => { location.hash = '#compare'; },
    4: () => { location.hash = '#mirror'; },
  };
  if (!Object.hasOwn(actions, event.key)) return;
  event.preventDefault();
  actions[event.key]();
});
addEventListener('hashchange', open);
addEventListener('redraw', update);
addEventListener('login-needed', () => setLogin(true));
document.body.replaceChildren();
loadResources();
open();
