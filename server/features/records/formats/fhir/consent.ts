import type { FhirObject } from '../../../../../protocol/records/fhir/fhir-json.ts';
import {
  CATEGORY_SYSTEM,
  hl7,
  INTENT_SYSTEM,
  LEVEL_SYSTEM,
  LOINC,
  MAX_RECORDS_EXTENSION,
  TOKEN_IDENTIFIER,
} from '../../../../../protocol/records/fhir/systems.ts';
import { referenceTo } from '../../../../../protocol/records/fhir/write/parties.ts';
import { fhirInstant, narrative } from '../../../../../protocol/records/fhir/write/primitives.ts';
import type { ExportFacts } from '../exported.ts';

/** The FHIR id of a token: its UUID, because an id must not contain an underscore. */
const consentId = (tokenId: string): string => tokenId.replace(/^tok_/, '');

/**
 * The consent token of the export. `*` means every category, so it is left out. Levels become `class`. R4 has no
 * element for a maximum number of records; it narrows the provision, so it is a modifier extension.
 */
export function consent({ beo_id, beo_domain, token }: ExportFacts): FhirObject {
  const { scope, grantee, granted_at, expires_at } = token;
  const [granteeReference, granteeDomain] =
    grantee.kind === 'BEO'
      ? [referenceTo('Patient', beo_id), beo_domain]
      : [referenceTo('Organization', grantee.ieo_id, grantee.display_name), grantee.domain];
  const categories = scope.categories.filter((code) => code !== '*');
  return {
    resourceType: 'Consent',
    id: consentId(token.token_id),
    text: narrative(
      `${beo_domain} allows ${granteeDomain}: ${scope.intents.join(', ')}; ${scope.categories.join(', ')}; from ${granted_at}`,
      scope.levels.length > 0 ? `of the levels ${scope.levels.join(', ')},` : undefined,
      scope.max_records === null ? undefined : `at most ${scope.max_records} records,`,
      expires_at === null ? 'until revoked' : `until ${expires_at}`,
    ),
    identifier: [{ system: TOKEN_IDENTIFIER, value: token.token_id }],
    status: 'active',
    scope: { coding: [{ system: hl7('consentscope'), code: 'patient-privacy', display: 'Privacy Consent' }] },
    category: [{ coding: [{ system: LOINC, code: '59284-0' }] }],
    patient: referenceTo('Patient', beo_id),
    dateTime: fhirInstant(granted_at),
    performer: [referenceTo('Patient', beo_id)],
    policyRule: { coding: [{ system: hl7('v3-ActCode'), code: 'OPTIN', display: 'opt-in' }] },
    provision: {
      modifierExtension:
        scope.max_records === null ? undefined : [{ url: MAX_RECORDS_EXTENSION, valuePositiveInt: scope.max_records }],
      type: 'permit',
      period: period(granted_at, expires_at),
      actor: [
        {
          role: {
            coding: [{ system: hl7('v3-ParticipationType'), code: 'IRCP', display: 'information recipient' }],
          },
          reference: granteeReference,
        },
      ],
      action: scope.intents.map((code) => ({ coding: [{ system: INTENT_SYSTEM, code }] })),
      class: nonEmpty(scope.levels.map((code) => ({ system: LEVEL_SYSTEM, code }))),
      code: nonEmpty(categories.map((code) => ({ coding: [{ system: CATEGORY_SYSTEM, code }] }))),
      dataPeriod: scope.period ? period(scope.period.from, scope.period.to) : undefined,
    },
  };
}

function period(from: string | null, to: string | null): FhirObject | undefined {
  const [start, end] = [from, to].map((instant) => (instant === null ? undefined : fhirInstant(instant)));
  return start === undefined && end === undefined ? undefined : { start, end };
}

const nonEmpty = <Item>(list: readonly Item[]): readonly Item[] | undefined => (list.length > 0 ? list : undefined);
