import { DAY_MS } from '../../../protocol/day-ms.ts';
import type { IeoView } from '../../../protocol/entities/ieo.ts';
import type { TokenView } from '../../../protocol/entities/token.ts';
import type { UnfinishedSubmission } from '../../_keys/unfinished-submissions.ts';
import type { OwnRequest } from './certification/use-certification-request.ts';
import type { Webhook } from './settings/use-webhook.ts';
import type { AcceptedRequest } from './use-accepted-requests.ts';

/** How long before its end a certification or a consent is listed. */
const CERTIFICATION_ENDS_SOON_MS = 60 * DAY_MS;
const CONSENT_ENDS_SOON_MS = 30 * DAY_MS;
const WEEK_MS = 7 * DAY_MS;

/** Something that waits for the people who work with an institution's key. Times are ISO 8601. */
export type Matter =
  | { readonly kind: 'webhook'; readonly status: 'FAILING' | 'PAUSED' }
  | { readonly kind: 'declined'; readonly reason: string }
  | { readonly kind: 'certificationEnded' | 'certificationEnds'; readonly ends: string }
  | { readonly kind: 'uncertified' }
  /** Requests that people accepted in the last seven days; `reference`: the newest. */
  | { readonly kind: 'accepted'; readonly count: number; readonly reference: string; readonly ends: string }
  | { readonly kind: 'consentsEnd'; readonly count: number; readonly ends: string }
  /** Records that were not submitted, that may have been, or receipts that were not saved; `ends`: when that was last. */
  | { readonly kind: 'failed' | 'unknown' | 'unsaved'; readonly count: number; readonly ends: string };

export interface InboxInput {
  readonly view: Pick<IeoView, 'status' | 'certification'>;
  readonly consents: readonly TokenView[];
  readonly unfinished: readonly UnfinishedSubmission[];
  /** The newest first. */
  readonly accepted: readonly AcceptedRequest[];
  /** Null while the key is locked, like the request. */
  readonly webhook: Pick<Webhook, 'status'> | null;
  readonly request: Pick<OwnRequest, 'status' | 'reason'> | null | undefined;
  /** Milliseconds. */
  readonly now: number;
}

/** What needs attention, the most urgent first; nothing that the institution's status prevents. */
export function inboxOf({ view, consents, unfinished, accepted, webhook, request, now }: InboxInput): Matter[] {
  if (view.status !== 'ACTIVE') return unsavedOf(unfinished);
  const failing = webhook?.status === 'FAILING' || webhook?.status === 'PAUSED' ? webhook.status : null;
  return [
    ...recordsOf('failed', unfinished),
    ...recordsOf('unknown', unfinished),
    ...unsavedOf(unfinished),
    ...(failing ? [{ kind: 'webhook', status: failing } as const] : []),
    ...(request?.status === 'DECLINED' ? [{ kind: 'declined', reason: request.reason ?? '' } as const] : []),
    ...(request?.status === 'OPEN' ? [] : certificationOf(view, now)),
    ...acceptedOf(accepted, now),
    ...endingOf(consents, now),
  ];
}

function recordsOf(kind: 'failed' | 'unknown', unfinished: readonly UnfinishedSubmission[]): Matter[] {
  const concerned = unfinished.filter((submission) => submission[kind].length > 0);
  const count = concerned.reduce((sum, submission) => sum + submission[kind].length, 0);
  const last = concerned.at(-1);
  return last ? [{ kind, count, ends: last.at }] : [];
}

function unsavedOf(unfinished: readonly UnfinishedSubmission[]): Matter[] {
  const unsaved = unfinished.filter(({ receipts }) => receipts !== null);
  const last = unsaved.at(-1);
  return last ? [{ kind: 'unsaved', count: unsaved.length, ends: last.at }] : [];
}

function certificationOf({ certification: { level, expires_at: ends } }: InboxInput['view'], now: number): Matter[] {
  if (level === 'UNCERTIFIED') return [{ kind: 'uncertified' }];
  if (ends === null || Date.parse(ends) - now > CERTIFICATION_ENDS_SOON_MS) return [];
  return [{ kind: Date.parse(ends) <= now ? 'certificationEnded' : 'certificationEnds', ends }];
}

function acceptedOf(accepted: readonly AcceptedRequest[], now: number): Matter[] {
  const recent = accepted.filter(({ at }) => now - Date.parse(at) < WEEK_MS);
  const [last] = recent;
  return last ? [{ kind: 'accepted', count: recent.length, reference: last.reference, ends: last.at }] : [];
}

function endingOf(consents: readonly TokenView[], now: number): Matter[] {
  const ends = consents.flatMap(({ status, expires_at: at }) => {
    const left = Date.parse(at ?? '') - now;
    return status === 'ACTIVE' && at !== null && left > 0 && left <= CONSENT_ENDS_SOON_MS ? [at] : [];
  });
  const [first] = ends.toSorted();
  return first === undefined ? [] : [{ kind: 'consentsEnd', count: ends.length, ends: first }];
}

/** What people did in the last seven days. */
export function weekOf(consents: readonly TokenView[], now: number) {
  const isOfWeek = (at: string | null) => at !== null && now - Date.parse(at) < WEEK_MS;
  return {
    given: consents.filter(({ granted_at: at }) => isOfWeek(at)).length,
    withdrawn: consents.filter(({ revoked_at: at }) => isOfWeek(at)).length,
  };
}
