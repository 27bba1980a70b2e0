import type { GuardianRole } from '../../../../protocol/entities/guardian.ts';
import type { Compared } from './guardian-screen-props.ts';
import { canPractise, type GuardiansStatus, type Place } from './status.ts';

/** Screens about one guardian; in the address with the role: `call-primary`. */
const GUARDIAN_SCREENS = ['invite', 'call', 'compare', 'confirm', 'differ', 'remove', 'reinvite', 'ask'] as const;
type GuardianScreen = (typeof GUARDIAN_SCREENS)[number];

/** What the page shows. */
export type Screen =
  | { readonly kind: 'list' | 'links' | 'request' | 'enable' | 'require' | 'practise' }
  | { readonly kind: GuardianScreen; readonly place: Place };

/** The states of a place in which each screen is shown. */
const STATES_FOR: Record<GuardianScreen, readonly Place['state'][]> = {
  invite: ['free', 'lapsed'],
  call: ['accepted'],
  compare: ['accepted'],
  confirm: ['accepted'],
  differ: ['accepted'],
  remove: ['invited', 'accepted', 'confirmed'],
  reinvite: ['invited'],
  ask: ['accepted', 'confirmed'],
};

export interface Situation {
  readonly guardiansStatus: GuardiansStatus;
  readonly locked: boolean;
  /** Whether links were made on this page and not passed on yet. */
  readonly unshared: boolean;
  /** Whether this browser has links of open invitations. */
  readonly links: boolean;
  /** There is a request for recovery with another key. */
  readonly request: boolean;
  /** The guardian whose words matched. */
  readonly compared: Compared | null;
}

/**
 * The screen of the requested step, if the status allows it: guardians may have acted meanwhile. New links are shown instead of the
 * list until they are passed on.
 */
export function screenFor(
  requested: string | null,
  { guardiansStatus, locked, unshared, links, request, compared }: Situation,
): Screen {
  const list = { kind: 'list' } as const;
  if (requested === null || requested === 'list') return list;
  if (requested === 'practise') return canPractise(guardiansStatus) ? { kind: 'practise' } : list;
  if (requested === 'request') return request ? { kind: 'request' } : list;
  const otherwise = unshared || (links && requested === 'links') ? ({ kind: 'links' } as const) : list;
  if (locked) return otherwise;
  if (requested === 'enable' && guardiansStatus.readiness === 'off') return { kind: 'enable' };
  if (requested === 'require' && !guardiansStatus.required) return { kind: 'require' };
  const [name, role] = requested.split('-');
  const kind = GUARDIAN_SCREENS.find((screen) => screen === name);
  const place = guardiansStatus.places.find((candidate) => candidate.role === role);
  if (!kind || !place || !STATES_FOR[kind].includes(place.state)) return otherwise;
  return kind === 'confirm' && !isCompared(place, compared) ? { kind: 'compare', place } : { kind, place };
}

/** Whether the words of exactly this key were compared: a later read may show another key. */
const isCompared = ({ guardian }: Place, compared: Compared | null): boolean =>
  compared !== null && guardian?.guardian_id === compared.guardianId && guardian.public_key === compared.publicKey;

/** The `step` of the screen about a role. */
export const stepOf = (kind: GuardianScreen, role: GuardianRole): string => `${kind}-${role}`;

/** The name of a screen in the address. */
export const nameOfScreen = (screen: Screen): string =>
  'place' in screen ? stepOf(screen.kind, screen.place.role) : screen.kind;
