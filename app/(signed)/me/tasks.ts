import type { BeoView } from '../../../protocol/entities/beo.ts';
import { type GuardianRole, THRESHOLD } from '../../../protocol/entities/guardian.ts';
import type { TokenView } from '../../../protocol/entities/token.ts';
import { endsSoon } from '../../_ui/consent-time.ts';
import { inForce, isOwn } from './consents/consents-in-force.ts';
import { lastChecked } from './guardians/last-checked.ts';
import type { GuardiansStatus, Place } from './guardians/status.ts';

/** How long before it expires an invitation is listed. */
const LINK_ENDS_SOON_MS = 24 * 3_600_000;

/** Something that needs the holder's attention. Times are ISO 8601. */
export type Task =
  | { readonly kind: 'recovery'; readonly missing: number; readonly ends: string }
  | { readonly kind: 'locked'; readonly since: string | null }
  | { readonly kind: 'confirm'; readonly roles: readonly GuardianRole[] }
  | { readonly kind: 'require' }
  | { readonly kind: 'unready'; readonly readiness: 'off' | 'none' | 'one' }
  | { readonly kind: 'unchecked'; readonly roles: readonly GuardianRole[] }
  | { readonly kind: 'lapsed'; readonly role: GuardianRole }
  | { readonly kind: 'linkEnds'; readonly role: GuardianRole; readonly ends: string }
  | { readonly kind: 'consentEnds'; readonly consent: TokenView; readonly ends: string }
  | { readonly kind: 'wide'; readonly consent: TokenView };

export interface TaskInput {
  readonly view: BeoView;
  /** The key in this browser, hex. */
  readonly keptKey: string;
  readonly guardiansStatus: GuardiansStatus;
  /** All consents, the newest first. */
  readonly consents: readonly TokenView[];
  /** By guardian_id, the day on which each last checked the key; empty until it is read. */
  readonly attested?: ReadonlyMap<string, { readonly on: string | null }>;
  /** Whether alerts can be set up, and were not offered in this browser. */
  readonly offersAlerts?: boolean;
  /** Whether a practice was not offered in this browser. */
  readonly offersPractice?: boolean;
  /** Milliseconds. */
  readonly now: number;
}

/** The tasks, the most urgent first. A locked identity has no task that the lock prevents. */
export function tasksOf(input: TaskInput): Task[] {
  const { view, keptKey, consents, now } = input;
  if (view.status === 'DESTROYED') return [];
  const locked = view.status === 'LOCKED';
  return [
    ...recoveryOf(view, keptKey),
    ...(locked ? [{ kind: 'locked', since: view.locked_at } as const] : guardiansOf(input)),
    ...consentsOf(consents, now),
  ];
}

function recoveryOf({ active_recovery: open }: BeoView, keptKey: string): Task[] {
  if (!open || open.new_public_key === keptKey) return [];
  const missing = Math.max(open.confirmations_needed - open.confirmations, 0);
  return [{ kind: 'recovery', missing, ends: open.expires_at }];
}

function guardiansOf({ guardiansStatus, attested, now }: TaskInput): Task[] {
  const { places, readiness, required } = guardiansStatus;
  const unchecked = places.filter(({ guardian }) => {
    const check = guardian && attested?.get(guardian.guardian_id);
    return check && lastChecked(check.on, guardian.accepted_at, now)?.isLong;
  });
  const isIn = (state: Place['state']) => (place: Place) => place.state === state;
  const roles = places.filter(isIn('accepted')).map(({ role }) => role);
  const ending = places.flatMap(({ role, ends }) =>
    ends !== null && Date.parse(ends) - now < LINK_ENDS_SOON_MS ? [{ kind: 'linkEnds', role, ends } as const] : [],
  );
  return [
    ...(roles.length > 0 ? [{ kind: 'confirm', roles } as const] : []),
    ...(readiness === 'off' || readiness === 'none' || readiness === 'one'
      ? [{ kind: 'unready', readiness } as const]
      : []),
    ...(required ? [] : [{ kind: 'require' } as const]),
    ...(unchecked.length > 0 ? [{ kind: 'unchecked', roles: unchecked.map(({ role }) => role) } as const] : []),
    ...ending.toSorted((a, b) => Date.parse(a.ends) - Date.parse(b.ends)),
    ...places.filter(isIn('lapsed')).map(({ role }) => ({ kind: 'lapsed', role }) as const),
  ];
}

function consentsOf(consents: readonly TokenView[], now: number): Task[] {
  const given = consents.filter(isGivenToOthers);
  const ending = given.flatMap((consent) => {
    const { expires_at: ends } = consent;
    return ends !== null && endsSoon(consent, now) ? [{ kind: 'consentEnds', consent, ends } as const] : [];
  });
  return [
    ...ending.toSorted((a, b) => Date.parse(a.ends) - Date.parse(b.ends)),
    ...given.filter(isWide).map((consent) => ({ kind: 'wide', consent }) as const),
  ];
}

/** In force, and not the holder's own. */
const isGivenToOthers = (consent: TokenView): boolean => inForce(consent) && !isOwn(consent);

/** Allows reading everything, without an end. */
const isWide = ({ expires_at, scope: { categories, intents } }: TokenView): boolean =>
  expires_at === null && categories.includes('*') && intents.includes('READ_RECORDS');

/** An identity without guardians, and without consents to others: the pages then suggest both. */
export const isNew = ({ guardiansStatus, consents }: Pick<TaskInput, 'guardiansStatus' | 'consents'>): boolean =>
  consents.every(isOwn) &&
  guardiansStatus.leaving.length === 0 &&
  guardiansStatus.places.every(({ state }) => state === 'free');

export type NextStep = 'guardians' | 'consent' | 'practise' | 'third' | 'alerts';

/** Tasks about consents, which can stay as they are for years. */
const CAN_WAIT: ReadonlySet<Task['kind']> = new Set(['consentEnds', 'wide']);

/** What is most useful now; null where urgent tasks come first, and where nothing is left. */
export function nextStepOf(input: TaskInput): NextStep | null {
  const { view, guardiansStatus, consents } = input;
  if (view.status !== 'ACTIVE') return null;
  if (isNew(input)) return 'guardians';
  if (tasksOf(input).some(({ kind }) => !CAN_WAIT.has(kind))) return null;
  if (input.offersAlerts) return 'alerts';
  if (consents.every(isOwn)) return 'consent';
  const confirmed = guardiansStatus.places.filter(({ state }) => state === 'confirmed').length;
  if (input.offersPractice && confirmed >= THRESHOLD) return 'practise';
  const hasPlace = guardiansStatus.places.some(({ state }) => state === 'free');
  return guardiansStatus.readiness === 'two' && hasPlace ? 'third' : null;
}
