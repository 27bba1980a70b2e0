import type { GuardianRole } from '../../../../protocol/ids.ts';
import type { Compared } from './flow.ts';
import type { GuardiansStatus, Place } from './status.ts';

/** Screens about one guardian; in the address with the role: `call-primary`. */
const ABOUT = ['invite', 'call', 'compare', 'confirm', 'differ', 'remove', 'anew'] as const;
type About = (typeof ABOUT)[number];

/** What the page shows. */
export type Screen =
  | { readonly kind: 'list' | 'links' | 'request' | 'enable' | 'require' }
  | { readonly kind: About; readonly place: Place };

/** The states of a place for which a screen exists. */
const FITS: Record<About, readonly Place['state'][]> = {
  invite: ['free', 'lapsed'],
  call: ['accepted'],
  compare: ['accepted'],
  confirm: ['accepted'],
  differ: ['accepted'],
  remove: ['invited', 'accepted', 'confirmed'],
  anew: ['invited'],
};

export interface Situation {
  readonly guardiansStatus: GuardiansStatus;
  readonly locked: boolean;
  /** Links that were made on this page and not passed on yet. */
  readonly links: boolean;
  /** There is a request for recovery with another key. */
  readonly request: boolean;
  /** The guardian whose words matched. */
  readonly compared: Compared | null;
}

/**
 * The screen that the address asks for, if it fits the status: guardians may have acted meanwhile, and a reload drops links.
 * Links that were made are shown instead of the list, until they are passed on.
 */
export function screenFor(
  asked: string | null,
  { guardiansStatus, locked, links, request, compared }: Situation,
): Screen {
  const list = { kind: 'list' } as const;
  if (asked === null || asked === 'list') return list;
  if (asked === 'request') return request ? { kind: 'request' } : list;
  const otherwise = links ? ({ kind: 'links' } as const) : list;
  if (locked) return otherwise;
  if (asked === 'enable' && guardiansStatus.readiness === 'off') return { kind: 'enable' };
  if (asked === 'require' && !guardiansStatus.required) return { kind: 'require' };
  const [name, role] = asked.split('-');
  const kind = ABOUT.find((about) => about === name);
  const place = guardiansStatus.places.find((one) => one.role === role);
  if (!kind || !place || !FITS[kind].includes(place.state)) return otherwise;
  return kind === 'confirm' && !isCompared(place, compared) ? { kind: 'compare', place } : { kind, place };
}

/** Whether the words of this very key were compared: a later read may show another key. */
const isCompared = ({ guardian }: Place, compared: Compared | null): boolean =>
  compared !== null && guardian?.guardian_id === compared.guardianId && guardian.public_key === compared.publicKey;

/** The `step` of the screen about a role. */
export const stepOf = (kind: About, role: GuardianRole): string => `${kind}-${role}`;
