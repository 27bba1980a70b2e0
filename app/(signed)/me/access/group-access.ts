import { groupBy } from '../records/group-by.ts';

/** One use of a consent, as the service remembers it: who, when, how many records; nothing of what they say. */
export interface AccessEvent {
  /** ISO 8601. */
  readonly at: string;
  readonly kind: 'submit' | 'read' | 'export';
  readonly token_id: string;
  readonly grantee_id: string;
  readonly grantee_domain: string | null;
  readonly records: number;
  /** Of an export. */
  readonly format?: string;
}

/** The uses of one kind under one consent on one day. */
export interface Use {
  readonly kind: AccessEvent['kind'];
  readonly tokenId: string;
  readonly format: string | null;
  /** The newest first. */
  readonly events: readonly AccessEvent[];
  /** Of all events together; a record that was read twice counts twice. */
  readonly records: number;
}

export interface Visitor {
  readonly id: string;
  readonly domain: string | null;
  readonly uses: readonly Use[];
}

export interface AccessDay {
  /** “2026-11-21”, in the reader's zone. */
  readonly day: string;
  readonly visitors: readonly Visitor[];
}

/**
 * The uses by day, the newest first, on a day by who it was, and of somebody by what was done under which consent. A day begins
 * at midnight in the zone, which is the reader's own where none is given.
 */
export function groupAccess(events: readonly AccessEvent[], timeZone?: string): AccessDay[] {
  const { format } = new Intl.DateTimeFormat('en-CA', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    ...(timeZone !== undefined && { timeZone }),
  });
  const newestFirst = events.toSorted((one, other) => other.at.localeCompare(one.at));
  return [...groupBy(newestFirst, ({ at }) => format(Date.parse(at)))].map(([day, ofDay]) => ({
    day,
    visitors: [...groupBy(ofDay, ({ grantee_id }) => grantee_id)].map(([id, own]) => ({
      id,
      domain: own[0]?.grantee_domain ?? null,
      uses: [...groupBy(own, useKey).values()].flatMap(asUse),
    })),
  }));
}

const useKey = ({ kind, token_id, format }: AccessEvent): string => [kind, token_id, format].join(' ');

const asUse = (events: readonly AccessEvent[]): Use[] =>
  events.slice(0, 1).map(({ kind, token_id: tokenId, format = null }) => ({
    kind,
    tokenId,
    format,
    events,
    records: events.reduce((sum, { records }) => sum + records, 0),
  }));
