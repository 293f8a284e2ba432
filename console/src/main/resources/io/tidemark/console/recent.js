// Ranges for users without the right to the history: they can read the last five minutes.

/** Less the time that a request takes. */
export const RECENT = '-270s';

/** The last range of times before now, and what it became. */
let last = { asked: {}, absolute: {} };

/** Remembers what a range became: as it is it can be read for some minutes only. */
export function remember(asked, absolute) {
  if (asked.from.startsWith('-')) last = { asked: { ...asked }, absolute };
}

/**
 * The first page of a range. Where the right to the history is missing, it is one of the last minutes if the user did not
 * choose the range, or asked for one before now that has become too old: its member `instead` is the range then.
 */
export async function firstPage(range, chosen, read) {
  try {
    return await read(range);
  } catch (e) {
    const instead = e.status === 403 && other(range, chosen);
    if (!instead) throw e;
    return { ...await read(instead), instead };
  }
}

function other({ from, to }, chosen) {
  if (!chosen) return { from: RECENT, to: '' };
  if (from !== last.absolute.from) return undefined;
  return { from: last.asked.from, to: to === last.absolute.to ? last.asked.to : to };
}
