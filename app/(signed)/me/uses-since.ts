import { groupBy } from '../../_ui/records/group-by.ts';
import type { AccessEvent } from './access/group-access.ts';
import type { Log } from './access/use-log.ts';

type ReadLog = Pick<Log, 'events' | 'cursor'>;

/** Whether events since a time, in ms, may be missing: a page of the log can be full of the holder's own reads. */
export const isCut = ({ events, cursor }: ReadLog, since: number): boolean =>
  cursor !== null && Date.parse(events.at(-1)?.at ?? '') > since;

/** The uses by others since a time, by institution and kind, the latest first. */
export function usesSince({ events }: ReadLog, since: number, holderId: string): readonly (readonly AccessEvent[])[] {
  const others = events.filter(({ at, grantee_id }) => grantee_id !== holderId && Date.parse(at) > since);
  return [...groupBy(others, ({ grantee_id, kind }) => `${grantee_id} ${kind}`).values()];
}
