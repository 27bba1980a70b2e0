import { dayOf } from '../../../protocol/days.ts';

/** The day and time of this device for the name of a file: “2026-11-23-1403”. */
export function fileStamp(at: Date): string {
  const two = (number: number) => String(number).padStart(2, '0');
  return `${dayOf(at.getTime())}-${two(at.getHours())}${two(at.getMinutes())}`;
}
