import { uuidV5 } from '../../../../../protocol/ids.ts';
import type { Exported, ExportedInstitution } from '../../../../../protocol/records/exported-record.ts';
import { type FhirObject, fhirJson } from '../../../../../protocol/records/fhir/fhir-json.ts';
import { bundleHead, entryOf } from '../../../../../protocol/records/fhir/write/bundle.ts';
import { observation } from '../../../../../protocol/records/fhir/write/observation.ts';
import { organization, patient } from '../../../../../protocol/records/fhir/write/parties.ts';
import { provenance } from '../../../../../protocol/records/fhir/write/provenance.ts';
import type { ExportFacts, ExportWriter } from '../exported.ts';
import { consent } from './consent.ts';

/**
 * A Bundle of FHIR R4 (type collection): Patient, Consent, an Organization before the first record of each institution,
 * and an Observation and its Provenance for each record. Ids derive from the service's own, so that equal exports are
 * equal Bundles.
 */
export function fhirWriter(facts: ExportFacts): ExportWriter {
  const named = new Set<string>();
  let separator = '\n';
  const entry = (resource: FhirObject): string => {
    const written = `${separator}${fhirJson(entryOf(resource))}`;
    separator = ',\n';
    return written;
  };
  const firstNaming = (institution: ExportedInstitution): string => {
    if (named.has(institution.ieo_id)) return '';
    named.add(institution.ieo_id);
    return entry(organization(institution));
  };
  return {
    begin() {
      const id = uuidV5(`perpetua:export:${facts.token.token_id}:${facts.exported_at}`);
      const { grantee } = facts.token;
      return [
        `${fhirJson(bundleHead(id, 'collection', facts.exported_at)).slice(0, -1)},"entry":[`,
        entry(patient(facts)),
        grantee.kind === 'IEO' ? firstNaming(grantee) : '',
        entry(consent(facts)),
      ].join('');
    },
    record(exported: Exported) {
      return [firstNaming(exported.institution), entry(observation(exported)), entry(provenance(exported))].join('');
    },
    end: () => '\n]}\n',
  };
}
