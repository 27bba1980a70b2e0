import type { IeoType } from '../../../../protocol/entities/ieo.ts';
import type { TokenView } from '../../../../protocol/entities/token.ts';
import { coverOf } from './cover.ts';
import type { Cover } from './record-of-cells.ts';
import type { RecipientProblem } from './row-problem.ts';

/** A consent under which records of a person can be submitted, and what it covers. */
export interface Usable {
  readonly consent: TokenView;
  readonly cover: Cover;
}

/** The consents for the person that a row names, the newest first; or why there is none. */
export type Recipient =
  | { readonly usable: readonly [Usable, ...Usable[]] }
  | { readonly usable: readonly []; readonly problem: RecipientProblem };

export interface Received {
  /** The newest first. */
  readonly consents: readonly TokenView[];
  /** The ids of the people who have frozen their identity. */
  readonly frozen: ReadonlySet<string>;
  /** The local reference of each person, by id. */
  readonly references: ReadonlyMap<string, string>;
  readonly ieoType: IeoType;
}

/** Finds the consents of a person by name, id, local reference, or the id of one consent; in any case. */
export function recipientsIn({ consents, frozen, references, ieoType }: Received): (patient: string) => Recipient {
  const byKey = new Map<string, TokenView[]>();
  const add = (key: string | null | undefined, consent: TokenView) => {
    if (!key) return;
    const plainKey = plain(key);
    const known = byKey.get(plainKey);
    if (known) known.push(consent);
    else byKey.set(plainKey, [consent]);
  };
  for (const consent of consents) {
    const { token_id, arweave_tx, beo_id, beo_domain } = consent;
    const names = [token_id, arweave_tx, beo_id, beo_domain, withoutSuffix(beo_domain), references.get(beo_id)];
    for (const name of new Set(names.filter((name) => name != null).map(plain))) add(name, consent);
  }
  return (patient) => recipientOf(byKey.get(plain(patient)) ?? [], { frozen, ieoType });
}

/** What consents of one person allow to submit. */
export function recipientOf(
  consents: readonly TokenView[],
  { frozen, ieoType }: Pick<Received, 'frozen' | 'ieoType'>,
): Recipient {
  const no = (problem: RecipientProblem): Recipient => ({ usable: [], problem });
  const [newest] = consents;
  if (!newest) return no('noConsent');
  if (consents.some(({ beo_id }) => beo_id !== newest.beo_id)) return no('severalPeople');
  const active = consents.filter(({ status }) => status === 'ACTIVE');
  if (active.length === 0) return no(newest.status === 'EXPIRED' ? 'consentExpired' : 'consentWithdrawn');
  const [first, ...more] = active
    .filter(({ scope }) => scope.intents.includes('SUBMIT_RECORD'))
    .map((consent) => ({ consent, cover: coverOf(consent, ieoType) }));
  if (!first) return no('cannotAdd');
  return frozen.has(newest.beo_id) ? no('frozen') : { usable: [first, ...more] };
}

const plain = (text: string): string => text.trim().toLowerCase();

/** The name without the suffix that every name of a service has. */
const withoutSuffix = (domain: string | null): string | null => domain?.slice(0, domain.lastIndexOf('.')) ?? null;
