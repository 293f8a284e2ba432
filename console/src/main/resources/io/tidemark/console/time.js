// Times as people write and read them. Views keep absolute times, so that a link shows the same later.

/** Such as 14:03:07. */
export function clock(iso) {
  const time = new Date(iso);
  return isNaN(time) ? '' : time.toLocaleTimeString([], { hour12: false });
}

/** Such as 2026-11-21 14:03:07. */
export function full(iso) {
  const time = new Date(iso);
  if (isNaN(time)) return '';
  const two = (n) => String(n).padStart(2, '0');
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  return `${day} ${two(time.getHours())}:${two(time.getMinutes())}:${two(time.getSeconds())}`;
}

/** An ISO time, or a revision as it is; empty for what is neither. */
export function moment(text, now = Date.now()) {
  const value = text.trim();
  if (/^[1-9]\d{0,17}$/.test(value)) return value;
  const ago = /^-((\d+)h)?((\d+)m)?((\d+)s)?$/.exec(value);
  if (ago && value.length > 1) {
    const seconds = (+(ago[2] ?? 0)) * 3600 + (+(ago[4] ?? 0)) * 60 + (+(ago[6] ?? 0));
    return new Date(now - seconds * 1000).toISOString();
  }
  if (/^\d{1,2}:\d{2}(:\d{2})?$/.test(value)) {
    const [hours, minutes, seconds] = value.split(':').map(Number);
    const time = new Date(now);
    time.setHours(hours, minutes, seconds || 0, 0);
    if (time.getTime() > now) time.setDate(time.getDate() - 1);
    return time.toISOString();
  }
  const time = new Date(value.includes('T') || !value.includes(' ') ? value : value.replace(' ', 'T'));
  return value === '' || isNaN(time) ? '' : time.toISOString();
}

/** As an input shows it: local time, or the revision. */
export function shown(value) {
  return /^\d+$/.test(value) ? value : full(value);
}

/** Such as 3 min or 2 h. */
export function span(milliseconds) {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 3600)} h`;
}
