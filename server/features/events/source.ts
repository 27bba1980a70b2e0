import type { ClientBase } from 'pg';
import type { IeoType } from '../../../protocol/entities/ieo.ts';
import type { Instant } from '../../../protocol/entities/recorded.ts';
import type { EventData, EventType } from '../../../protocol/event-shapes.ts';
import type { EventCursor, EventDraft } from '../../../protocol/events.ts';
import type { IeoId } from '../../../protocol/ids.ts';
import type { Horizon } from './horizon.ts';

/** The part of an institution's events that a page asks each source for. */
export interface Asked {
  readonly db: Pick<ClientBase, 'query'>;
  readonly institution: Institution;
  /** Events after this place. */
  readonly after: EventCursor;
  /** The first seq at or after the time of `after`. */
  readonly low: number;
  readonly horizon: Horizon;
  /** Events after this time are not needed. */
  readonly until: Instant;
  /** The maximum number of rows that are events. */
  readonly most: number;
  /** The maximum number of rows that may turn out to be no event for the institution. */
  readonly scan: number;
}

export interface Institution {
  readonly id: IeoId;
  readonly ieoType: IeoType;
  /** Where it was revoked or destroyed; its consents ended with it. */
  readonly ended: Horizon | null;
  /** The seq of the first consent that it received; null if it has none. */
  readonly firstConsent: number | null;
}

/** Some of the events after a place. */
export interface Found {
  /** In any order; may include events before the place. */
  readonly events: readonly EventDraft[];
  /** Where the source stopped reading; null if it has read everything up to the horizon. */
  readonly end: EventCursor | null;
}

/** The columns that every row of a source has. */
export interface Row extends Horizon {
  /** Of the entry. */
  readonly id: string;
}

export const NOTHING: Found = { events: [], end: null };

export const newEvent = <Type extends EventType>(type: Type, { at, seq }: Horizon, data: EventData[Type]): EventDraft =>
  // TypeScript does not relate a type parameter to the member of the union that it selects.
  ({ type, at, seq, data }) as unknown as EventDraft;

/** The place of `after` as the values of $4, $5 and $6. */
export const placeOf = ({ after }: Asked): readonly unknown[] => [after.at, after.seq, after.name];
