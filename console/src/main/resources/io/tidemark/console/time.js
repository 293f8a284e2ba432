// Times as people write and read them.

/** Such as 14:03:07. */
export function clock(iso) {
  const time = new Date(iso);
  return isNaN(time) ? '' : time.toLocaleTimeString([], { hourCycle: 'h23' });
}

/** Such as 2026-11-21 14:03:07. */
export function full(iso) {
  const time = new Date(iso);
  if (isNaN(time)) return '';
  const two = (n) => String(n).padStart(2, '0');
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
}

const REVISION = /^[1-9]\d{0,17}$/;
const AGO = /^-(?=\d)(?:(\d{1,6})h)?(?:(\d{1,8})m)?(?:(\d{1,9})s)?$/;
const LOCAL = /^(?:(\d{4})-(\d{2})-(\d{2}))?(?:(?:^|[ T])(\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3}))?)?)?$/;
const ZONED = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:\d{2})$/;

/** An ISO time, or a revision as it is; empty for what is neither. Without a zone a time is local. */
export function moment(text, now = Date.now()) {
  const value = text.trim();
  if (REVISION.test(value)) return value;
  const time = ago(value, now) ?? local(value, now) ?? new Date(ZONED.test(value) ? value : NaN);
  return isNaN(time) ? '' : time.toISOString();
}

function ago(text, now) {
  const parts = AGO.exec(text);
  if (!parts) return undefined;
  const [hours, minutes, seconds] = parts.slice(1).map((part) => Number(part ?? 0));
  return new Date(now - (hours * 3600 + minutes * 60 + seconds) * 1000);
}

/** Such as 14:03, of today or yesterday, 2026-11-21, and both. */
function local(text, now) {
  const parts = text && LOCAL.exec(text);
  if (!parts) return undefined;
  const [year, month, day, hours, minutes, seconds, fraction = ''] = parts.slice(1);
  const clock = [hours, minutes, seconds].map((part) => Number(part ?? 0));
  const time = new Date(now);
  if (year) time.setFullYear(year, month - 1, day);
  time.setHours(...clock, Number(fraction.padEnd(3, '0')));
  // A date takes 25:99 or the 31st of a short month for a later time.
  const right = [time.getHours(), time.getMinutes(), time.getSeconds()].every((part, i) => part === clock[i])
    && (!year || (time.getMonth() + 1 === Number(month) && time.getDate() === Number(day)));
  if (!year && time.getTime() > now) time.setDate(time.getDate() - 1);
  return right ? time : new Date(NaN);
}

/** As a field shows it: local time, a revision, a time before now, or now. */
export function shown(value) {
  return /^\d{4}-/.test(value) ? full(value) : value || 'now';
}

/**
 * What a field of a time says, empty for now. Times before now stay so: the node's clock counts. A field that was not
 * changed keeps its milliseconds, which it does not show.
 */
export function entered(text, value) {
  const typed = text.trim();
  if (typed === shown(value)) return value;
  if (typed === '' || typed === 'now') return '';
  const time = moment(typed);
  if (!time) throw new Error('write times as 14:03, 2026-11-21 14:03, -15m, or as a revision');
  return typed.startsWith('-') ? typed : time;
}

/**
 * Absolute times of a range, by the clock of the node that gave its first page, so that a link shows the same later. What
 * a page through now shows is as of now; of another one only the answer itself is.
 */
export function absolute({ from, to }, page) {
  const shown = Math.max(Date.parse(page.asOf) || 0, Date.parse(page.to.time));
  const now = to ? Date.parse(page.answered) : shown;
  return {
    from: from.startsWith('-') ? (now && moment(from, now)) || page.from.time : from,
    to: to === '' || to.startsWith('-') ? new Date(shown).toISOString() : to,
  };
}

/** Such as 3 min or 2 h. */
export function span(milliseconds) {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3600)} h`;
}
