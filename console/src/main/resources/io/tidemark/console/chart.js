import { html, nothing, svg } from './lit-html.js';
import { clock, full } from './time.js';

const WIDTH = 1200;
const HEIGHT = 110;
const BARS = 80;
const CLASSES = ['spec', 'metadata', 'status', 'noise'];

/**
 * Changes over time, by class. What lies before `known` has not been loaded: it is drawn as unknown,
 * never as empty. Dragging picks a range.
 */
export function chart({ items, from, to, known, pick }) {
  const begin = Date.parse(from);
  const span = Math.max(1, Date.parse(to) - begin);
  if (isNaN(span)) return nothing;
  const bars = Array.from({ length: BARS }, () => ({ spec: 0, metadata: 0, status: 0, noise: 0, all: 0 }));
  for (const item of items) {
    const at = Math.floor(((Date.parse(item.time) - begin) / span) * BARS);
    const bar = bars[Math.min(BARS - 1, Math.max(0, at))];
    bar[item.class]++;
    bar.all++;
  }
  const highest = Math.max(1, ...bars.map((bar) => bar.all));
  const unknown = Math.max(0, Math.min(1, (Date.parse(known) - begin) / span)) * WIDTH;
  return html`
    <svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="img"
        aria-label="${items.length} changes between ${full(from)} and ${full(to)}, at most ${highest} in a bar"
        @pointerdown=${(e) => drag(e, begin, span, pick)}>
      ${unknown > 0 ? svg`<rect class="unknown" x="0" y="0" width=${unknown} height=${HEIGHT - 12}>
        <title>not loaded</title></rect>` : ''}
      ${bars.map((bar, i) => column(bar, i, highest))}
      <line class="axis" x1="0" x2=${WIDTH} y1=${HEIGHT - 12} y2=${HEIGHT - 12}></line>
      <rect class="picked" x="0" y="0" width="0" height=${HEIGHT - 12}></rect>
    </svg>
    <div class="row soft"><span>${clock(from)}</span><span class="grow"></span><span>${clock(to)}</span></div>`;
}

function column(bar, index, highest) {
  const width = WIDTH / BARS;
  // By the square root, so that one change beside a thousand is still seen.
  const whole = Math.sqrt(bar.all / highest) * (HEIGHT - 18);
  let top = HEIGHT - 12;
  return CLASSES.filter((name) => bar[name] > 0).map((name) => {
    const height = (bar[name] / bar.all) * whole;
    top -= height;
    return svg`<rect class=${name} x=${index * width + 1} y=${top} width=${width - 2} height=${height}></rect>`;
  });
}

function drag(down, begin, span, pick) {
  if (down.button !== 0) return;
  const chart = down.currentTarget;
  const box = chart.getBoundingClientRect();
  const mark = chart.querySelector('.picked');
  const part = (e) => Math.max(0, Math.min(1, (e.clientX - box.left) / box.width));
  const first = part(down);
  chart.setPointerCapture(down.pointerId);
  const move = (e) => {
    mark.setAttribute('x', Math.min(first, part(e)) * WIDTH);
    mark.setAttribute('width', Math.abs(part(e) - first) * WIDTH);
  };
  const end = () => {
    chart.removeEventListener('pointermove', move);
    chart.removeEventListener('pointerup', up);
    chart.removeEventListener('lostpointercapture', end);
    mark.setAttribute('width', 0);
  };
  const up = (e) => {
    end();
    const [low, high] = [first, part(e)].sort((a, b) => a - b);
    if ((high - low) * box.width > 4) {
      pick(new Date(begin + low * span).toISOString(), new Date(begin + high * span).toISOString());
    }
  };
  chart.addEventListener('pointermove', move);
  chart.addEventListener('pointerup', up);
  chart.addEventListener('lostpointercapture', end); // After a pointercancel, too.
}
