import { uuidV5 } from '../../../ids.ts';
import { canonicalJson } from '../../../signing/canonical-json.ts';
import { toBase64, utf8ToBytes } from '../../../signing/encoding.ts';
import type { Exported } from '../../exported-record.ts';
import type { FhirObject } from '../fhir-json.ts';
import { ENTRY_IDENTIFIER, hl7, PROOF_EXTENSION } from '../systems.ts';
import { referenceToRecord } from './observation.ts';
import { referenceTo } from './parties.ts';
import { fhirInstant, narrative } from './primitives.ts';

const provenanceId = (recordId: string): string => uuidV5(`perpetua:provenance:${recordId}`);

/**
 * Who submitted a record, when and with which ledger entry, and the record as submitted, which with the salt gives the
 * commitment. One Provenance per record, because each has its own proof.
 */
export function provenance({ record, proof, submitted, institution, supersedes_exported }: Exported): FhirObject {
  const [operation, display] = record.supersedes === null ? ['CREATE', 'create'] : ['UPDATE', 'revise'];
  return {
    resourceType: 'Provenance',
    id: provenanceId(record.record_id),
    text: narrative(`Submitted by ${institution.domain} at ${record.submitted_at} with entry ${proof.arweave_tx}`),
    contained: [
      {
        resourceType: 'Binary',
        id: 'submitted',
        contentType: 'application/json',
        data: toBase64(utf8ToBytes(canonicalJson(submitted))),
      },
    ],
    extension: [
      {
        url: PROOF_EXTENSION,
        extension: [
          { url: 'commitment', valueString: proof.commitment },
          { url: 'salt', valueString: proof.salt },
          { url: 'index', valueUnsignedInt: proof.index },
        ],
      },
    ],
    target: [referenceTo('Observation', record.record_id)],
    recorded: fhirInstant(record.submitted_at),
    activity: { coding: [{ system: hl7('v3-DataOperation'), code: operation, display }] },
    agent: [
      {
        type: { coding: [{ system: hl7('provenance-participant-type'), code: 'author', display: 'Author' }] },
        who: referenceTo('Organization', institution.ieo_id, institution.display_name),
      },
    ],
    entity: [
      { role: 'source', what: { identifier: { system: ENTRY_IDENTIFIER, value: proof.arweave_tx } } },
      { role: 'source', what: { reference: '#submitted' } },
      ...(record.supersedes === null
        ? []
        : [{ role: 'revision', what: referenceToRecord(record.supersedes, supersedes_exported) }]),
    ],
  };
}
