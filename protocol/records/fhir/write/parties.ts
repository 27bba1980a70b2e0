import type { ExportedHolder, ExportedInstitution } from '../../exported-record.ts';
import type { FhirObject } from '../fhir-json.ts';
import { DOMAIN_IDENTIFIER, IEO_TYPE_SYSTEM, URI_IDENTIFIER } from '../systems.ts';
import { fhirText, narrative } from './primitives.ts';

const idAndDomain = (id: string, domain: string): readonly FhirObject[] => [
  { system: URI_IDENTIFIER, value: `urn:uuid:${id}` },
  { system: DOMAIN_IDENTIFIER, value: domain },
];

/** The holder, without a name: the service has none. */
export const patient = ({ beo_id, beo_domain }: ExportedHolder): FhirObject => ({
  resourceType: 'Patient',
  id: beo_id,
  text: narrative('The holder of', beo_domain),
  identifier: idAndDomain(beo_id, beo_domain),
});

export function organization({ ieo_id, domain, display_name, ieo_type, country }: ExportedInstitution): FhirObject {
  const name = display_name === null ? undefined : fhirText(display_name);
  const land = country === null ? undefined : fhirText(country);
  return {
    resourceType: 'Organization',
    id: ieo_id,
    text: narrative(name, `(${domain}), ${ieo_type}`, land),
    identifier: idAndDomain(ieo_id, domain),
    type: [{ coding: [{ system: IEO_TYPE_SYSTEM, code: ieo_type }] }],
    name,
    address: land === undefined ? undefined : [{ country: land }],
  };
}

/** A reference inside the Bundle, by the fullUrl of its target. https://hl7.org/fhir/R4/bundle.html#references */
export const referenceTo = (type: string, id: string, display?: string | null): FhirObject => ({
  reference: `urn:uuid:${id}`,
  type,
  display: display ? fhirText(display) : undefined,
});
