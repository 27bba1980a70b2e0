/** Bytes of a WAL segment: initdb's default, which the embedded database uses. */
export const SEGMENT_BYTES = 16 * 1024 * 1024;
const PER_LOG = 0x1_0000_0000 / SEGMENT_BYTES;

export const timelineOf = (name: string): number => Number.parseInt(name.slice(0, 8), 16);

/** The place of a segment in the write-ahead log, the same in all timelines. */
export const numberOf = (segment: string): number =>
  Number.parseInt(segment.slice(8, 16), 16) * PER_LOG + Number.parseInt(segment.slice(16, 24), 16);

const hex = (value: number): string => value.toString(16).toUpperCase().padStart(8, '0');

export const segmentName = (timeline: number, number: number): string =>
  `${hex(timeline)}${hex(Math.floor(number / PER_LOG))}${hex(number % PER_LOG)}`;

export const historyName = (timeline: number): string => `${hex(timeline)}.history`;

/** The segment that holds a position such as `0/3000028`. */
export function numberAt(lsn: string): number {
  const [high = '0', low = '0'] = lsn.split('/');
  return Number.parseInt(high, 16) * PER_LOG + Math.floor(Number.parseInt(low, 16) / SEGMENT_BYTES);
}
