import type { ConsentRequest } from '../../protocol/consent-request.ts';
import { notCertifiedFor } from '../../protocol/entities/certified-for.ts';
import type { IeoType } from '../../protocol/entities/ieo.ts';
import type { Intent } from '../../protocol/entities/intents.ts';
import { typeRestriction } from '../../protocol/entities/token.ts';
import type { Marked } from '../_ui/certification-mark.tsx';

type Asked = Pick<ConsentRequest, 'scope' | 'expiresInDays'>;
type Asking = Pick<Marked, 'certified' | 'certification'> & { readonly ieo_type: IeoType };

/** What institutions of a type usually need to do. */
const USUAL: Readonly<Record<IeoType, readonly Intent[]>> = {
  LAB: ['SUBMIT_RECORD'],
  HOSPITAL: ['SUBMIT_RECORD', 'READ_RECORDS', 'ANALYZE_VITALITY', 'REQUEST_SCORE'],
  WEARABLE: ['SUBMIT_RECORD', 'SYNC_PROTOCOL'],
  PHYSICIAN: ['SUBMIT_RECORD', 'READ_RECORDS', 'ANALYZE_VITALITY', 'REQUEST_SCORE'],
  INSURER: ['REQUEST_SCORE'],
  RESEARCH: ['READ_RECORDS', 'ANALYZE_VITALITY'],
  PLATFORM: ['READ_RECORDS', 'ANALYZE_VITALITY', 'REQUEST_SCORE', 'SYNC_PROTOCOL'],
};

/** Genes and fertility concern relatives and partners too. */
const INTIMATE: readonly string[] = ['BSP-GN', 'BSP-FR'];
const CARERS: readonly IeoType[] = ['HOSPITAL', 'PHYSICIAN'];
const USES_RECORDS: readonly Intent[] = ['READ_RECORDS', 'EXPORT_DATA'];

/** Longer is unusual. */
const USUAL_DAYS = 365;
/** Where a broad request begins. */
const FIRST_DAYS = 90;

export interface Unusual {
  /** What institutions of this type do not usually do. */
  readonly intents: readonly Intent[];
  readonly everything: boolean;
  readonly intimate: readonly string[];
  readonly long: boolean;
  readonly uncertified: boolean;
}

/** What is unusual in a request, for an institution of this type and certification. */
export function unusualIn({ scope, expiresInDays: days }: Asked, { ieo_type: type, certified }: Asking): Unusual {
  const isCarer = CARERS.includes(type);
  const usesRecords = scope.intents.some((intent) => USES_RECORDS.includes(intent));
  return {
    intents: scope.intents.filter((intent) => !USUAL[type].includes(intent)),
    everything: usesRecords && scope.categories.includes('*'),
    intimate: usesRecords && !isCarer ? scope.categories.filter((code) => INTIMATE.includes(code)) : [],
    long: days === null || days > USUAL_DAYS,
    uncertified: !certified,
  };
}

export interface Less {
  readonly intents: readonly Intent[];
  /** Empty where the person chooses. */
  readonly categories: readonly string[];
  readonly days: number;
  /** Whether this is less than what is asked. */
  readonly isLess: boolean;
}

/** Where the person begins: with less than a broad request asks. Nothing that the type or the certification excludes is chosen. */
export function lessOf({ scope, expiresInDays: asked }: Asked, institution: Asking): Less {
  const { ieo_type: type, certified, certification } = institution;
  const { intents: unusual } = unusualIn({ scope, expiresInDays: asked }, institution);
  const beyond = certified ? notCertifiedFor(certification, scope) : { intents: [], categories: [] };
  const intents = scope.intents.filter(
    (intent) =>
      !unusual.includes(intent) &&
      !beyond.intents.includes(intent) &&
      typeRestriction(type, { intents: [intent], categories: [] }, true) === null,
  );
  const wanted = scope.categories.includes('*') ? certification.categories : scope.categories;
  const categories = wanted.filter(
    (code) => !beyond.categories.includes(code) && (CARERS.includes(type) || !INTIMATE.includes(code)),
  );
  const days = asked === null || asked > USUAL_DAYS ? FIRST_DAYS : asked;
  const isLess =
    intents.length < scope.intents.length ||
    scope.categories.includes('*') ||
    categories.length < scope.categories.length ||
    days !== asked;
  return { intents, categories, days, isLess };
}
