import { uuidV5 } from '../../../../../protocol/ids.ts';
import { type FhirObject, fhirJson } from '../../../../../protocol/records/fhir/fhir-json.ts';
import { URI_IDENTIFIER } from '../../../../../protocol/records/fhir/systems.ts';
import type { Exported, ExportedInstitution, ExportFacts, ExportWriter } from '../exported.ts';
import { consent, consentId } from './consent.ts';
import { observation } from './observation.ts';
import { organization, patient } from './parties.ts';
import { fhirInstant } from './primitives.ts';
import { provenance, provenanceId } from './provenance.ts';

/**
 * A Bundle of FHIR R4 (type collection): Patient, Consent, an Organization before the first record of each institution,
 * and an Observation and its Provenance for each record. Ids derive from the service's own, so that equal exports are
 * equal Bundles.
 */
export function fhirWriter(facts: ExportFacts): ExportWriter {
  const named = new Set<string>();
  let separator = '\n';
  const entry = (id: string, resource: FhirObject): string => {
    const written = `${separator}${fhirJson({ fullUrl: `urn:uuid:${id}`, resource })}`;
    separator = ',\n';
    return written;
  };
  const firstNaming = (institution: ExportedInstitution): string => {
    if (named.has(institution.ieo_id)) return '';
    named.add(institution.ieo_id);
    return entry(institution.ieo_id, organization(institution));
  };
  return {
    begin() {
      const id = uuidV5(`perpetua:export:${facts.token.token_id}:${facts.exported_at}`);
      const head: FhirObject = {
        resourceType: 'Bundle',
        id,
        identifier: { system: URI_IDENTIFIER, value: `urn:uuid:${id}` },
        type: 'collection',
        timestamp: fhirInstant(facts.exported_at),
      };
      const { grantee, token_id } = facts.token;
      return [
        `${fhirJson(head).slice(0, -1)},"entry":[`,
        entry(facts.beo_id, patient(facts)),
        grantee.kind === 'IEO' ? firstNaming(grantee) : '',
        entry(consentId(token_id), consent(facts)),
      ].join('');
    },
    record(exported: Exported) {
      const { record, institution } = exported;
      return [
        firstNaming(institution),
        entry(record.record_id, observation(exported)),
        entry(provenanceId(record.record_id), provenance(exported)),
      ].join('');
    },
    end: () => '\n]}\n',
  };
}
