import type { Operations } from '../../../client/types.ts';
import { DAY_MS, type Day, dayOf, daysThrough, endOfDay } from '../../../protocol/days.ts';
import type { CertLevel } from '../../../protocol/entities/ieo.ts';
import { INTENTS } from '../../../protocol/entities/intents.ts';
import { CATEGORIES } from '../../../protocol/records/taxonomy.ts';
import type { Answers } from '../../../server/http/trpc/router.ts';
import type { ChosenInstitution } from './find-institution.tsx';
import type { OpenRequest } from './use-requests.ts';

/** The fields of the form that certifies an institution. */
export interface CertificationDraft {
  readonly institution: ChosenInstitution | null;
  readonly level: CertLevel | null;
  /** The last day; empty where the certification has no end. */
  readonly expires: Day;
  readonly categories: readonly string[];
  readonly intents: readonly string[];
}

export const EMPTY_CERTIFICATION: CertificationDraft = {
  institution: null,
  level: null,
  expires: '',
  categories: [],
  intents: [],
};

type Institution = Answers['endingCertifications'][number];

/** The certification that an institution asks for; the institute chooses its end. */
export const draftOfRequest = ({ institution, level, categories, intents }: OpenRequest): CertificationDraft => ({
  ...EMPTY_CERTIFICATION,
  institution,
  level,
  categories,
  intents,
});

/** The same certification for a year more, from its end or from today, whichever is later. */
export function renewalOf(institution: Institution, now: number): CertificationDraft {
  const { level, categories, intents, expires_at: until } = institution.certification;
  const from = Math.max(Date.parse(until ?? '') || 0, now);
  return { institution, level, categories, intents, expires: dayOf(from + 365 * DAY_MS) };
}

/** Whether a level certifies, rather than withdraws. */
export const certifies = (level: CertLevel | null): level is CertLevel => level !== null && level !== 'UNCERTIFIED';

/** Whether a certification cannot end on this day. `now` in ms. */
export const hasInvalidEnd = (level: CertLevel | null, expires: Day, now: number): boolean =>
  certifies(level) && expires !== '' && daysThrough(expires, now) === null;

/** The level and its end as they are sent. */
export function levelFields(
  level: CertLevel,
  expires: Day,
): { readonly level: CertLevel; readonly expiresAt?: string } {
  const end = certifies(level) ? endOfDay(expires) : null;
  return { level, ...(end !== null && { expiresAt: new Date(end).toISOString() }) };
}

type Certification = Operations['updateCertification']['fields'];

/** The fields of updateCertification; null while something is missing. */
export function certificationBody(draft: CertificationDraft, now: number): Certification | null {
  const { institution, level, expires, categories, intents } = draft;
  if (!institution || !level || hasInvalidEnd(level, expires, now)) return null;
  const scope = certifies(level) && {
    categories: CATEGORIES.filter((code) => categories.includes(code)),
    intents: INTENTS.filter((intent) => intents.includes(intent)),
  };
  return { ieoId: institution.ieo_id, ...levelFields(level, expires), ...scope };
}
