import { groupBy } from '../../../_ui/records/group-by.ts';

/** One use of a consent, as the service stores it: who, when and how many records, but no values. */
export interface AccessEvent {
  /** ISO 8601. */
  readonly at: string;
  readonly kind: 'submit' | 'read' | 'export';
  readonly token_id: string;
  readonly grantee_id: string;
  readonly grantee_domain: string | null;
  readonly records: number;
  /** The format of an export. */
  readonly format?: string;
}

/** The events of one kind under one consent on one day. */
export interface Use {
  readonly kind: AccessEvent['kind'];
  readonly tokenId: string;
  readonly granteeId: string;
  readonly granteeDomain: string | null;
  readonly format: string | null;
  /** The newest first. */
  readonly events: readonly AccessEvent[];
  /** The total of all events; a record that was read twice is counted twice. */
  readonly records: number;
}

export interface AccessDay {
  /** “2026-11-21”, in the reader's zone. */
  readonly day: string;
  /** In the order of their newest event, the newest first. */
  readonly uses: readonly Use[];
}

/**
 * Groups events by day (the newest first), and within a day by grantee, kind, consent and format. Days begin at midnight in
 * `timeZone`, by default that of the browser.
 */
export function groupAccess(events: readonly AccessEvent[], timeZone?: string): AccessDay[] {
  const { format } = new Intl.DateTimeFormat('en-CA', {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    ...(timeZone !== undefined && { timeZone }),
  });
  const newestFirst = events.toSorted((a, b) => b.at.localeCompare(a.at));
  return [...groupBy(newestFirst, ({ at }) => format(Date.parse(at)))].map(([day, ofDay]) => ({
    day,
    uses: [...groupBy(ofDay, useKey).values()].flatMap(asUse),
  }));
}

const useKey = ({ grantee_id, kind, token_id, format }: AccessEvent): string =>
  [grantee_id, kind, token_id, format].join(' ');

const asUse = (events: readonly AccessEvent[]): Use[] =>
  events.slice(0, 1).map(({ kind, token_id: tokenId, grantee_id, grantee_domain, format = null }) => ({
    kind,
    tokenId,
    granteeId: grantee_id,
    granteeDomain: grantee_domain,
    format,
    events,
    records: events.reduce((sum, { records }) => sum + records, 0),
  }));
