import type { ExportedHolder } from '../../exported-record.ts';
import { type FhirObject, fhirJson } from '../fhir-json.ts';
import { bundleHead, entryOf } from './bundle.ts';
import { observation } from './observation.ts';
import { organization, patient } from './parties.ts';
import { dataAbsent, fhirText } from './primitives.ts';
import { provenance } from './provenance.ts';
import { composition, type SharedRecords, type SummaryWords } from './summary.ts';

/**
 * The records as a Bundle of FHIR R4, in JSON: a collection, or with `words` a document in the form of the International Patient
 * Summary. What it contains, and how a reader checks it: docs/sharing.md.
 */
export function shareBundle(shared: SharedRecords, words: SummaryWords | null): string {
  const { id, at, holder, records } = shared;
  const institutions = new Map(records.map(({ institution }) => [institution.ieo_id, institution]));
  const resources: FhirObject[] = [
    ...(words ? [composition(shared, words)] : []),
    { ...patient(holder), ...(words ? summaryPatient(holder) : {}) },
    ...[...institutions.values()].map(organization),
    ...records.map(observation),
    ...records.map(provenance),
  ];
  return fhirJson({ ...bundleHead(id, words ? 'document' : 'collection', at), entry: resources.map(entryOf) });
}

/** A Patient of the International Patient Summary must have a name and a birth date. The service has neither: the name is the domain. */
const summaryPatient = ({ beo_domain }: ExportedHolder): FhirObject => ({
  name: [{ use: 'anonymous', text: fhirText(beo_domain) }],
  _birthDate: dataAbsent('unknown'),
});
