import { type ProtocolError, refusal } from './errors.ts';

export const MAX_AGE_MS = 5 * 60_000;
export const MAX_AHEAD_MS = 30_000;
/** Nonces are remembered for longer than a signed request can be used. Protocol §1 asks for at least 10 minutes. */
export const NONCE_MEMORY_MS = 15 * 60_000;

const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|[+-]\d{2}:?\d{2})$/;

/** Milliseconds since 1970 of an ISO 8601 date-time with a zone; null for anything else, an impossible date included. */
export function parseTimestamp(text: string): number | null {
  const parts = DATE_TIME.exec(text);
  if (!parts) return null;
  const [year, month, day, hour, minute, second] = parts.slice(1, 7).map((part) => Number(part ?? 0)) as Six;
  const local = new Date(0);
  local.setUTCFullYear(year, month - 1, day);
  local.setUTCHours(hour, minute, second, Math.floor(Number(`0.${parts[7] ?? 0}`) * 1000));
  const exists =
    local.getUTCMonth() === month - 1 && local.getUTCDate() === day && hour < 24 && minute < 60 && second < 60;
  const offset = zoneOffset(parts[8] ?? 'Z');
  return exists && offset !== null ? local.getTime() - offset : null;
}

type Six = [number, number, number, number, number, number];

function zoneOffset(zone: string): number | null {
  if (zone === 'Z') return 0;
  const hours = Number(zone.slice(1, 3));
  const minutes = Number(zone.slice(-2));
  if (hours > 23 || minutes > 59) return null;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

/** Why a signed request of `timestamp` cannot be ordered at `now` (both ms), or null. Protocol §1. */
export function untimely(timestamp: number, now: number): ProtocolError | null {
  const late = now - timestamp > MAX_AGE_MS;
  if (!late && timestamp - now <= MAX_AHEAD_MS) return null;
  const details = { server_time: new Date(now).toISOString() };
  return refusal(late ? 'TIMESTAMP_TOO_OLD' : 'TIMESTAMP_IN_FUTURE', undefined, details);
}
