const MOST_CELLS = 4_000_000;
const CONTEXT = 3;

/**
 * The lines of two texts as a list of `{ kind, text }`: kind is `same`, `old`, `new`, or `skip` for the number of equal
 * lines that are left out. The longest common subsequence of lines stays; where that would take too long, all lines
 * between the equal beginning and the equal end count as replaced.
 */
export function lineDiff(before, after) {
  const [a, b] = [before.split('\n'), after.split('\n')];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start && a.at(-1 - end) === b.at(-1 - end)) end++;
  const middle = between(a.slice(start, a.length - end), b.slice(start, b.length - end));
  const same = (text) => ({ kind: 'same', text });
  return folded([...a.slice(0, start).map(same), ...middle, ...a.slice(a.length - end).map(same)]);
}

function between(a, b) {
  const wide = b.length + 1;
  const large = (a.length + 1) * wide > MOST_CELLS;
  // longest[i * wide + j] is the length of the longest common subsequence of a from i and b from j.
  const longest = new Uint32Array(large ? 0 : (a.length + 1) * wide);
  for (let i = a.length - 1; !large && i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      longest[i * wide + j] = a[i] === b[j]
        ? longest[(i + 1) * wide + j + 1] + 1
        : Math.max(longest[(i + 1) * wide + j], longest[i * wide + j + 1]);
    }
  }
  const lines = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    if (!large && i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ kind: 'same', text: a[i] });
      i++;
      j++;
    } else if (j === b.length
        || (i < a.length && (large || longest[(i + 1) * wide + j] >= longest[i * wide + j + 1]))) {
      lines.push({ kind: 'old', text: a[i++] });
    } else {
      lines.push({ kind: 'new', text: b[j++] });
    }
  }
  return lines;
}

/** Leaves out equal lines that are far from a difference. */
function folded(lines) {
  const near = lines.map(() => false);
  lines.forEach((line, at) => {
    if (line.kind === 'same') return;
    for (let i = Math.max(0, at - CONTEXT); i <= Math.min(lines.length - 1, at + CONTEXT); i++) near[i] = true;
  });
  const kept = [];
  lines.forEach((line, at) => {
    if (near[at]) kept.push(line);
    else if (kept.at(-1)?.kind === 'skip') kept.at(-1).text++;
    else kept.push({ kind: 'skip', text: 1 });
  });
  return kept;
}
